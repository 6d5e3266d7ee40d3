-- SQLite. Forgets the requests up to a position, which PostgreSQL has committed.
delete from batch where position <= ?
