-- SQLite. The tables of a spool: requests that wait for PostgreSQL, in order; set-aside requests, which could not be
-- read; the keys that were valid at the last reading; and the database that all of them belong to, once it is known.
create table if not exists batch (
    position integer primary key autoincrement,
    payload blob not null,
    events integer not null,
    received_at integer not null
);

create table if not exists unreadable (
    position integer primary key,
    payload blob not null
);

create table if not exists valid_key (
    key_hash blob primary key,
    app_number integer not null,
    app_id text not null,
    scope text not null,
    prefix text not null,
    expires_at integer
);

create table if not exists origin (
    database text not null
)
