-- SQLite. Keeps a request that cannot be read out of the way. It is there already where the program ended before removing it.
insert or ignore into unreadable (position, payload) select position, payload from batch where position = ?
