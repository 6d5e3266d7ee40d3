-- The live links of an app ($1) with one of these hashes ($2) of their fields, the oldest first.
select
    deleted_at,
    --include link_fields
from link
where app_number = $1
    and content_hash = any ($2::bigint[])
    and deleted_at is null
order by created_at, host, slug
