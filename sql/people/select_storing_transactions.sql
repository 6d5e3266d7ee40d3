-- The other transactions that are storing events now, of an app ($1); null: of any. A transaction that stores takes
-- this lock before its snapshot. So a transaction that is not among these sees everything that was committed before.
--
-- On a cluster, it also says of which apps it stores events, by shared advisory locks of the class $2. One that says
-- nothing may store events of any app.
with lock as materialized (
    select *
    from pg_locks
    where database = (select oid from pg_database where datname = current_database())
        and granted
), mark as (
    select virtualtransaction, objid
    from lock
    where locktype = 'advisory'
        and classid = $2::integer::oid
        and objsubid = 2
)
select virtualtransaction
from lock
where locktype = 'relation'
    and relation = 'event'::regclass
    --citus and relation = 'distribution'::regclass
    and mode = 'RowExclusiveLock'
    and pid <> pg_backend_pid()
    and (
        $1::integer is null
        or virtualtransaction not in (select virtualtransaction from mark)
        or virtualtransaction in (select virtualtransaction from mark where objid = $1::integer::oid)
    )
