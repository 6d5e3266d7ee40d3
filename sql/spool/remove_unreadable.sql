-- SQLite. Deletes one set-aside request.
delete from unreadable where position = ?
