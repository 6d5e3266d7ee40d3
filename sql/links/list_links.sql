-- The live links of an app ($1) by host and slug, after a place ($5 host, $6 slug; null: from the start), at most $7.
-- $2 host, $3 ref, $4 text that they contain; null: any.
select
    deleted_at,
    --include link_fields
from link
where app_number = $1
    and deleted_at is null
    and ($2::text is null or host = $2)
    and ($3::text is null or $3 = any (ref))
    and (
        $4::text is null
        or position(lower($4) in lower(concat_ws(' ', slug, target_url, app_url, title, note))) > 0
    )
    and ($5::text is null or (host, slug) > ($5, $6))
order by host, slug
limit $7
