-- SQLite. The time of receipt of the oldest request after a position, in microseconds since 1970.
select received_at from batch where position > ? order by position limit 1
