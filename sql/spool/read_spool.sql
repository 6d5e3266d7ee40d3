-- SQLite. The oldest requests first.
select position, payload from batch order by position
