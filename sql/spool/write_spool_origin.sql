-- SQLite. Notes the database that the requests and keys belong to.
insert into origin (database) values (?)
