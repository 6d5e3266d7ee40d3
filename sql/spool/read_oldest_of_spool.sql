-- SQLite. When the oldest request was received, in microseconds since 1970.
select received_at from batch order by position limit 1
