-- Lets the rows of every month be found by `event_identity` where they are replicated: otherwise no event could be
-- deleted or changed while Citus moves its part of the cluster.
do $$
declare
    part record;
begin
    for part in
        select month.oid::regclass as month, index.relname as index
        from pg_inherits as child
        join pg_class as month on month.oid = child.inhrelid
        join pg_index on indrelid = month.oid
        join pg_class as index on index.oid = indexrelid
        join pg_inherits as piece on piece.inhrelid = index.oid
        where child.inhparent = 'event'::regclass
            and piece.inhparent = 'event_identity'::regclass
            and month.relreplident <> 'i'
        order by month.relname
    loop
        execute format('alter table %s replica identity using index %I', part.month, part.index);
    end loop;
end
$$;
