-- Whoever replicates events logically, as Citus does while it moves a part of a cluster, must find a row that is
-- changed or deleted there: by `event_identity`. For new months. `Distribution` does it for those that exist.

-- As before (0018), with the identity.
create or replace function ensure_event_partition(month date) returns void
    language plpgsql
    security definer
    set search_path from current
as $$
declare
    first_day date := date_trunc('month', month)::date;
    partition_name text := 'event_' || to_char(first_day, 'YYYY_MM');
    part record;
begin
    if to_regclass(partition_name) is not null then
        return;
    end if;
    perform pg_advisory_xact_lock(hashtextextended('tributary event partition', 0));
    perform
    from pg_class
    where relname = partition_name
        and relnamespace = (select relnamespace from pg_class where oid = 'event'::regclass);
    if found then
        return;
    end if;
    execute format('create table %I (like event including defaults including constraints)', partition_name);
    execute format(
        'alter table event attach partition %I for values from (%L) to (%L)',
        partition_name,
        first_day::text || ' 00:00:00+00',
        (first_day + interval '1 month')::date::text || ' 00:00:00+00'
    );
    for part in
        select index.relname, inhparent::regclass::text as whole
        from pg_index
        join pg_class as index on index.oid = indexrelid
        join pg_inherits on inhrelid = indexrelid
        where indrelid = to_regclass(partition_name)
    loop
        case part.whole
            when 'event_by_transaction' then
                execute format('alter index %I set (autosummarize = off)', part.relname);
            when 'event_identity' then
                execute format('alter table %I replica identity using index %I', partition_name, part.relname);
            else
                null;
        end case;
    end loop;
end
$$;
