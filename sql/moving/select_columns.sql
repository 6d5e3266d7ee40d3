-- The columns of the tables $1 in their order: table, column, type, and whether numbers of this database are in it that
-- it makes itself.
select
    pg_class.relname::text,
    attname::text,
    format_type(atttypid, atttypmod),
    attidentity <> ''
from pg_attribute
join pg_class on pg_class.oid = attrelid
where attrelid = any ($1::text[]::regclass[])
    and attnum > 0
    and not attisdropped
order by pg_class.relname, attnum
