-- The live links after a place ($1 host, $2 slug), at most $3.
select
    deleted_at,
    --include link_fields
from link
where (host, slug) > ($1, $2)
    and deleted_at is null
order by host, slug
limit $3
