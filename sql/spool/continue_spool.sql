-- SQLite. Lets the positions of a new file go on where those of the file before ended.
insert into sqlite_sequence (name, seq) values ('batch', ?)
