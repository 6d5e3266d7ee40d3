-- Revokes a key of an app ($1): the key with the hash $2 or, if that is null, with the prefix $3. Returns for each key
-- found when it was revoked. `least` passes over null; Citus takes no `now()` in `coalesce` or after `returning`.
update api_key
set revoked_at = least(revoked_at, now())
where app_number = $1
    and ($2::bytea is null or key_hash = $2)
    and ($3::text is null or prefix = $3)
returning revoked_at
