-- The live links after a place ($1 host, $2 slug), at most $3.
select
    host, slug, target_url, mobile_url, app_url, fallback, ref, channel, title, description, image_url, site_name,
    og_type, forward_query, append_click_id, campaign, expires_at, expired_url, disabled, note, created_at, updated_at,
    deleted_at
from link
where (host, slug) > ($1, $2)
    and deleted_at is null
order by host, slug
limit $3
