-- Revokes every key of an app ($1).
update api_key
set revoked_at = now()
where app_number = $1
    and revoked_at is null
