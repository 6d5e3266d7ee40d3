-- Who holds a lock that keeps readers from a table of this database, and which table.
select
    coalesce(nullif(pg_stat_activity.application_name, ''), pg_stat_activity.usename::text, 'a session'),
    pg_class.relname::text
from pg_locks
join pg_class on pg_class.oid = pg_locks.relation
left join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
where pg_locks.granted
    and pg_locks.mode = 'AccessExclusiveLock'
    and pg_locks.database = (select oid from pg_database where datname = current_database())
    and pg_locks.pid <> pg_backend_pid()
    and pg_class.relkind in ('r', 'p')
order by pg_class.relname
limit 1
