-- Stores links of an app ($1): $2 is a JSON array of their fields, $3 the revision, $4 a hash of each one's fields in
-- the same order.
insert into link (
    app_number, revision, content_hash,
    --include link_fields
)
select
    $1, $3, content_hash,
    --include link_fields
from rows from (
    unnest($4::bigint[]),
    json_to_recordset($2::json) as (
        host text,
        slug text,
        target_url text,
        mobile_url text,
        app_url text,
        fallback text,
        ref text[],
        channel text,
        title text,
        description text,
        image_url text,
        site_name text,
        og_type text,
        forward_query boolean,
        append_click_id boolean,
        campaign text,
        expires_at timestamptz,
        expired_url text,
        disabled boolean,
        note text,
        created_at timestamptz,
        updated_at timestamptz
    )
) as given (
    content_hash,
    --include link_fields
)
on conflict (host, slug) do update
    set target_url = excluded.target_url,
        mobile_url = excluded.mobile_url,
        app_url = excluded.app_url,
        fallback = excluded.fallback,
        ref = excluded.ref,
        channel = excluded.channel,
        title = excluded.title,
        description = excluded.description,
        image_url = excluded.image_url,
        site_name = excluded.site_name,
        og_type = excluded.og_type,
        forward_query = excluded.forward_query,
        append_click_id = excluded.append_click_id,
        campaign = excluded.campaign,
        expires_at = excluded.expires_at,
        expired_url = excluded.expired_url,
        disabled = excluded.disabled,
        note = excluded.note,
        updated_at = excluded.updated_at,
        revision = excluded.revision,
        content_hash = excluded.content_hash
