-- SQLite. Forgets one request.
delete from batch where position = ?
