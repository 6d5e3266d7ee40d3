-- SQLite. The set-aside requests.
select position, payload from unreadable
