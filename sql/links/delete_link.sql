-- Marks a link as deleted: $1 host, $2 slug, $3 the time, $4 the revision. Its slug stays taken.
update link
set deleted_at = $3,
    revision = $4
where host = $1
    and slug = $2
    and deleted_at is null
