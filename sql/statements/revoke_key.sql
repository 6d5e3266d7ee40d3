-- Revokes a key of an app ($1): the one with the hash $2 or, where that is null, the prefix $3. A revoked one stays as it
-- is.
update api_key
set revoked_at = now()
where app_number = $1
    and ($2::bytea is null or key_hash = $2)
    and ($3::text is null or prefix = $3)
    and revoked_at is null
