-- SQLite. The requests after a position, the oldest first.
select position, payload from batch where position > ? order by position
