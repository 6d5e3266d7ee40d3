-- Creates an app. The parameters are the columns in their order.
insert into app (
    app_id, name, namespace, bundle_ids, iphone_store_id, ipad_store_id, url_scheme_suffixes, login, deep_linking,
    time_zone, currency, android_package, android_certificates, apple_team_id, apple_provider_token,
    ios_carry, page_words, page_color, page_logo
)
values ($1, $2, $3, $4::text[], $5, $6, $7::text[], $8, $9, $10, $11, $12, $13::text[], $14, $15, $16, $17::jsonb, $18, $19)
returning app_number
