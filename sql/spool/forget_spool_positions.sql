-- SQLite. Forgets where the positions of the file ended.
delete from sqlite_sequence where name = 'batch'
