-- The distributed tables among $1, and the months of `event`, whose rows from before the distribution are still on the
-- coordinator's own disk too. No query sees them.
select class.relname::text
from pg_dist_partition as placed
join pg_class as class on class.oid = placed.logicalrelid
left join pg_inherits on inhrelid = class.oid
where (
        class.oid in (select to_regclass(quote_ident(name)) from unnest($1::text[]) as name)
        or inhparent = 'event'::regclass
    )
    and class.relkind = 'r'
    and (placed.partmethod = 'h' or placed.repmodel = 't')
    and pg_relation_size(class.oid) > 0
order by class.relname
