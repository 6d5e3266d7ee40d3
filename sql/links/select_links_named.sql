-- The live links of an app ($1) with a slug ($2), on a host ($3) or, if it is null, on any: those on the app's first
-- host come first.
select
    deleted_at,
    --include link_fields
from link
left join (select host, position from link_host where app_number = $1) as own using (host)
where app_number = $1
    and slug = $2
    and ($3::text is null or host = $3)
    and deleted_at is null
order by position nulls last, host
limit 1
