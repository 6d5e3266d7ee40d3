-- The other transactions that are storing events now. A transaction that stores takes this lock before its snapshot. So
-- a transaction that is not among these sees everything that was committed before.
select virtualtransaction
from pg_locks
where locktype = 'relation'
    and database = (select oid from pg_database where datname = current_database())
    and relation = 'event'::regclass
    --citus and relation = 'distribution'::regclass
    and mode = 'RowExclusiveLock'
    and granted
    and pid <> pg_backend_pid()
