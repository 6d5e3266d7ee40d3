-- SQLite. Forgets one request that could not be read.
delete from unreadable where position = ?
