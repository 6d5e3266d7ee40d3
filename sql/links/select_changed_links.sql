-- The links that have changed after a revision ($1), deleted ones too, at most $2.
select
    host, slug, target_url, mobile_url, app_url, fallback, ref, channel, title, description, image_url, site_name,
    og_type, forward_query, append_click_id, campaign, expires_at, expired_url, disabled, note, created_at, updated_at,
    deleted_at
from link
where revision > $1
order by revision
limit $2
