-- Makes a key. $1 its hash, $2 app number, $3 scope, $4 label, $5 prefix, $6 seconds until it expires (null: never).
insert into api_key (key_hash, app_number, scope, label, prefix, expires_at)
values ($1, $2, $3::text::key_scope, $4, $5, now() + make_interval(secs => $6::bigint))
