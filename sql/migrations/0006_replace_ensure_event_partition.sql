-- The second look asks the catalogue itself. `to_regclass` answered from the session's cache, which an advisory lock does
-- not bring up to date, so that the second of two who came at once found nothing and made the partition once more.
create or replace function ensure_event_partition(month date) returns void
    language plpgsql
    security definer
    set search_path from current
as $$
declare
    first_day date := date_trunc('month', month)::date;
    partition_name text := 'event_' || to_char(first_day, 'YYYY_MM');
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
end
$$;
