-- SQLite. Replaces a request by a smaller one: its payload, its number of events, its position.
update batch set payload = ?, events = ? where position = ?
