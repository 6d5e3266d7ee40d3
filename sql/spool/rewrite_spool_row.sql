-- SQLite. Keeps less of a request: its payload, its number of events, its position.
update batch set payload = ?, events = ? where position = ?
