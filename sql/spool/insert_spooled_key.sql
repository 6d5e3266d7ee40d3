-- SQLite. Stores the hash of a valid key, with its app and scope.
insert into valid_key (key_hash, app_number, app_id, scope, prefix, expires_at) values (?, ?, ?, ?, ?, ?)
