-- SQLite. One request.
select payload from batch where position = ?
