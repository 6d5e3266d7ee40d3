-- The live links of an app ($1), the newest first, after a link ($5 host, $6 slug; null: from the start), at most $7.
-- $2 host, $3 ref, $4 text that they contain; null: any.
select
    host, slug, target_url, mobile_url, app_url, fallback, ref, channel, title, description, image_url, site_name,
    og_type, forward_query, append_click_id, campaign, expires_at, expired_url, disabled, note, created_at, updated_at,
    deleted_at
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
