-- SQLite. Notes the revision (?1) of a daemon's copy of the links.
insert into revision (number) values (?1)
