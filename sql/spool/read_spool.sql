-- SQLite. All requests, the oldest first.
select position, payload from batch order by position
