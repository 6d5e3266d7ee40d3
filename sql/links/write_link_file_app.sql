-- SQLite. Puts an app (number ?1, content ?2) into a daemon's copy of the links.
insert or replace into app (number, content) values (?1, ?2)
