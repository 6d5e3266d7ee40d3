-- The live links of an app ($1), the newest first, after a link ($5 host, $6 slug; null: from the start), at most $7.
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
    and (
        $5::text is null
        or (created_at, host, slug) < (
            select last.created_at, last.host, last.slug
            from link as last
            where last.host = $5
                and last.slug = $6
        )
    )
order by created_at desc, host desc, slug desc
limit $7
