-- The tables among $1 that Citus knows, and how: h by a column, n on every node or on the coordinator, t as a
-- reference table. For a distributed table: its column.
select
    class.relname::text,
    case when placed.partmethod = 'n' then placed.repmodel::text else placed.partmethod::text end,
    case when placed.partkey is not null then column_to_column_name(placed.logicalrelid, placed.partkey) end
from pg_dist_partition as placed
join pg_class as class on class.oid = placed.logicalrelid
where class.oid in (select to_regclass(quote_ident(name)) from unnest($1::text[]) as name)
order by class.relname
