-- SQLite. The database that the requests and keys belong to; no row if it is not known yet.
select database from origin
