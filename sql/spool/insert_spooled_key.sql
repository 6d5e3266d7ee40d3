-- SQLite. Keeps a valid key by its hash.
insert into key (key_hash, app_number, app_id, scope, prefix) values (?, ?, ?, ?, ?)
