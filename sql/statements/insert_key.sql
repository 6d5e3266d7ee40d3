-- Makes a key. $1 its hash, $2 app number, $3 scope, $4 label, $5 prefix.
insert into api_key (key_hash, app_number, scope, label, prefix)
values ($1, $2, $3::text::key_scope, $4, $5)
