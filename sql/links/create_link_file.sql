-- SQLite. The tables of a daemon's copy of the links, which it serves when it starts without the database: the revision
-- of the links, the apps with their hosts, and the links, as JSON.
create table if not exists revision (
    number integer not null
);

create table if not exists app (
    number integer primary key,
    content text not null
);

create table if not exists link (
    host text not null,
    slug text not null,
    content text not null,
    primary key (host, slug)
) without rowid
