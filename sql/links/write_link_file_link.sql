-- SQLite. Puts a link (host ?1, slug ?2, content ?3) into a daemon's copy of the links.
insert or replace into link (host, slug, content) values (?1, ?2, ?3)
