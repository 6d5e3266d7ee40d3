-- The other transactions that have changed one of the tables $1, or are about to.
select distinct virtualtransaction
from pg_locks
where database = (select oid from pg_database where datname = current_database())
    and granted
    and locktype = 'relation'
    and relation = any ($1::text[]::regclass[])
    and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    and pid <> pg_backend_pid()
