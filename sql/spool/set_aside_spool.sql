-- SQLite. Sets a request aside that cannot be read, so that it does not block those behind it.
insert into unreadable (position, payload) select position, payload from batch where position = ?
