-- The links at places: $1 hosts, $2 slugs. Deleted ones too.
select
    deleted_at,
    --include link_fields
from link
where (host, slug) in (select * from unnest($1::text[], $2::text[]))
