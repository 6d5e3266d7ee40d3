-- SQLite. Keeps a request that cannot be read out of the way of the others. It may be there already: earlier versions put it
-- aside and removed it in two steps, and may have ended between them.
insert or ignore into unreadable (position, payload) select position, payload from batch where position = ?
