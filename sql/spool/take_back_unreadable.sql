-- SQLite. Appends a set-aside request (?3, its position) that can be read now to the waiting ones: ?1 its number of
-- events, ?2 its time of receipt in microseconds since 1970.
insert into batch (payload, events, received_at) select payload, ?1, ?2 from unreadable where position = ?3
