-- The links at places: $1 hosts, $2 slugs. Deleted ones too.
select
    host, slug, target_url, mobile_url, app_url, fallback, ref, channel, title, description, image_url, site_name,
    og_type, forward_query, append_click_id, campaign, expires_at, expired_url, disabled, note, created_at, updated_at,
    deleted_at
from link
where (host, slug) in (select * from unnest($1::text[], $2::text[]))
