-- SQLite. Keeps a request that cannot be read out of the way of the others.
insert into unreadable (position, payload) select position, payload from batch where position = ?
