-- SQLite. The keys that were valid when they were last read.
select key_hash, app_number, app_id, scope, prefix, expires_at from valid_key
