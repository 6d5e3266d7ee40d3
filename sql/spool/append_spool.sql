-- SQLite. Appends a request: its payload, its number of events, its time of receipt in microseconds since 1970.
insert into batch (payload, events, received_at) values (?, ?, ?)
