-- The partitions of `event`, sorted by name, with their sizes in pages, and whether they are being detached.
select
    pg_class.relname::text,
    pg_class.relpages::bigint,
    pg_inherits.inhdetachpending
from pg_inherits
join pg_class on pg_class.oid = pg_inherits.inhrelid
where pg_inherits.inhparent = 'event'::regclass
order by pg_class.relname
