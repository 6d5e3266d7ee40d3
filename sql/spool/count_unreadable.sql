-- SQLite. The number of set-aside requests.
select count(*) from unreadable
