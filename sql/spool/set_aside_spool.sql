-- SQLite. Sets a request aside that cannot be read, so that it does not block those behind it. It may be there already:
-- earlier versions copied and deleted it in two steps, and may have ended between them.
insert or ignore into unreadable (position, payload) select position, payload from batch where position = ?
