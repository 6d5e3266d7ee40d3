-- Tables that were partitions of `event` and are detached: an interrupted run was about to drop them.
select pg_class.relname::text
from pg_class
where pg_class.relkind = 'r'
    and not pg_class.relispartition
    and pg_class.relnamespace = (select relnamespace from pg_class where oid = 'event'::regclass)
    and pg_class.relname ~ '^event_[0-9]{4,}_[0-9]{2}$'
order by pg_class.relname
