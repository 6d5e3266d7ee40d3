-- All keys that are valid now, with their apps: with these, a daemon authenticates requests.
select
    key_hash, app_number, app_id, scope::text, prefix, expires_at, origins, label,
    app_number = any (array(select app_number from app_departure where moved_at is not null)) as has_moved
from api_key
join app using (app_number)
where revoked_at is null
    and (expires_at is null or expires_at > now())
