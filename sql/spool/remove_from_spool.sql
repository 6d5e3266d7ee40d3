-- SQLite. Deletes the requests up to a position: PostgreSQL has committed them.
delete from batch where position <= ?
