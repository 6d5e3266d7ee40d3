-- Creates an app. The parameters are the columns in their order.
insert into app (
    app_id, name, namespace, bundle_ids, iphone_store_id, ipad_store_id, url_scheme_suffixes, login, deep_linking,
    time_zone, currency
)
values ($1, $2, $3, $4::text[], $5, $6, $7::text[], $8, $9, $10, $11)
returning app_number
