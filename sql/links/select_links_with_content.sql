-- The live links of an app ($1) with one of these hashes ($2) of their fields, the oldest first.
select
    host, slug, target_url, mobile_url, app_url, fallback, ref, channel, title, description, image_url, site_name,
    og_type, forward_query, append_click_id, campaign, expires_at, expired_url, disabled, note, created_at, updated_at,
    deleted_at
from link
where app_number = $1
    and content_hash = any ($2::bigint[])
    and deleted_at is null
order by created_at, host, slug
