-- SQLite. Keeps a valid key by its hash.
insert into valid_key (key_hash, app_number, app_id, scope, prefix, expires_at) values (?, ?, ?, ?, ?, ?)
