-- Limits the valid keys of an app ($1) and a scope ($2) to the next $3 seconds, except for a new one ($4 its hash).
update api_key
set expires_at = least(expires_at, now() + make_interval(secs => $3::bigint))
where app_number = $1
    and scope = $2::text::key_scope
    and key_hash <> $4
    and revoked_at is null
