-- SQLite. The requests that could not be read.
select position, payload from unreadable
