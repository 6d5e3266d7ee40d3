-- All apps, sorted by id. With $1, also apps whose deletion has begun.
select
    app_number, app_id, name, namespace, bundle_ids, iphone_store_id, ipad_store_id, url_scheme_suffixes, login,
    deep_linking, time_zone, currency
from app
where $1 or app_number <> all (array(select app_number from deleted_app))
order by app_id
