-- SQLite. Notes which database the requests and keys are of.
insert into origin (database) values (?)
