-- SQLite. The apps of a daemon's copy of the links.
select content from app
