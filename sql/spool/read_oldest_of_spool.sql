-- SQLite. The time of receipt of the oldest request, in microseconds since 1970.
select received_at from batch order by position limit 1
