-- The valid indexes of the month $1 that have not been made dense, with the remains of an interrupted rebuilding (not
-- valid). Sorted by name.
select index.relname::text, indisvalid
from pg_index
join pg_class as index on index.oid = indexrelid
join pg_am on pg_am.oid = index.relam
where indrelid = to_regclass($1)
    and amname = 'btree'
    and (
        case
            when indisvalid then not coalesce('fillfactor=100' = any(index.reloptions), false)
            else index.relname ~ '_cc(new|old)\d*$'
        end
    )
order by index.relname
