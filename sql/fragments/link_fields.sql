-- The fields of a link, in the order of `LinkField.all`.
host, slug, target_url, mobile_url, app_url, fallback, ref, channel, title, description, image_url, site_name,
og_type, forward_query, append_click_id, campaign, expires_at, expired_url, disabled, note, created_at, updated_at
