-- All apps, by id.
select
    app_number, app_id, name, namespace, bundle_ids, iphone_store_id, ipad_store_id, url_scheme_suffixes, login,
    deep_linking, time_zone, currency
from app
order by app_id
