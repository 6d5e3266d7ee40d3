-- The keys of an app ($1), the oldest first.
select scope::text, label, prefix, created_at, expires_at, revoked_at, last_used_at, origins
from api_key
where app_number = $1
order by created_at, prefix
