-- SQLite. Removes a link (host ?1, slug ?2) from a daemon's copy of the links.
delete from link where host = ?1 and slug = ?2
