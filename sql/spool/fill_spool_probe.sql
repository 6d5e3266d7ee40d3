-- SQLite. Writes so many bytes, to see whether there is room for them.
create table if not exists probe (content blob not null);
delete from probe;
insert into probe (content) values (zeroblob(?))
