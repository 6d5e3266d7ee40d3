-- Changes the settings of an app ($1), unless it moves: its name, and those of its links in the order of
-- `LinkAppField.all`.
update app
set name = $2,
    bundle_ids = $3::text[],
    iphone_store_id = $4,
    ipad_store_id = $5,
    deep_linking = $6,
    android_package = $7,
    android_certs = $8::text[],
    apple_team_id = $9,
    apple_provider_token = $10,
    ios_carry = $11,
    page_words = coalesce($12::jsonb, '{}'),
    page_color = $13,
    page_logo = $14
where app_number = $1
    and (
        select refuse_moving_app(app_number)
        from app_departure
        where app_number = $1
            and barred_at is not null
    ) is null
