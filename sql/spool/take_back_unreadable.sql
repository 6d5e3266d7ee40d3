-- SQLite. Puts a request that can be read now (?3, its position) behind those that wait: ?1 its number of events, ?2 its time of
-- receipt in microseconds since 1970.
insert into batch (payload, events, received_at) select payload, ?1, ?2 from unreadable where position = ?3
