-- SQLite. Deletes one request.
delete from batch where position = ?
