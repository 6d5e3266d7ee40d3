-- SQLite. The database that the requests and keys are of; none where it has not been known yet.
select database from origin
