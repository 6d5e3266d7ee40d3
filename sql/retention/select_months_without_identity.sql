-- The partitions of `event` that have no part of the index `event_identity`, sorted by name.
select pg_class.relname::text
from pg_inherits
join pg_class on pg_class.oid = pg_inherits.inhrelid
where pg_inherits.inhparent = 'event'::regclass
    and not pg_inherits.inhdetachpending
    and not exists (
        select
        from pg_index
        join pg_inherits as part on part.inhrelid = pg_index.indexrelid
        where pg_index.indrelid = pg_class.oid
            and part.inhparent = 'event_identity'::regclass
    )
order by pg_class.relname
