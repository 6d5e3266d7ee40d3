-- The transactions of others that are storing events now. Such a one takes this lock before its snapshot, so that one
-- that is not among them sees what was committed before.
select virtualtransaction
from pg_locks
where locktype = 'relation'
    and database = (select oid from pg_database where datname = current_database())
    and relation = 'event'::regclass
    and mode = 'RowExclusiveLock'
    and granted
    and pid <> pg_backend_pid()
