-- SQLite. The links of a daemon's copy.
select content from link
