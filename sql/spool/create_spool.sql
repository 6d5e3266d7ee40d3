-- SQLite. Requests that wait for PostgreSQL, in the order in which they were answered.
create table if not exists batch (
    position integer primary key autoincrement,
    payload blob not null,
    events integer not null,
    received_at integer not null
)
