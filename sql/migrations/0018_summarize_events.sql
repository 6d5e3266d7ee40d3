-- Summaries of what has just been stored, so that a reader of the tail does not read everything since the last vacuum: by the
-- daemon that packs, every few seconds. Until now they were asked of autovacuum, whose list of such requests is full after a
-- few seconds of load: then it wrote each further request to the server's log, and left it undone.

-- Summarizes what is new in every month (`event_by_transaction`). Who vacuums a month at the moment does it anyway, and must
-- not be made to stop: after a second's wait it would be.
create function summarize_events() returns void
    language plpgsql
    security definer
    set search_path from current
    set lock_timeout = '50ms'
as $$
declare
    summary regclass;
begin
    for summary in
        select inhrelid
        from pg_inherits
        where inhparent = 'event_by_transaction'::regclass
    loop
        begin
            perform brin_summarize_new_values(summary);
        exception when lock_not_available then
            null;
        end;
    end loop;
end
$$;

revoke execute on function summarize_events() from public;

-- As before (0006), and without requests to autovacuum.
create or replace function ensure_event_partition(month date) returns void
    language plpgsql
    security definer
    set search_path from current
as $$
declare
    first_day date := date_trunc('month', month)::date;
    partition_name text := 'event_' || to_char(first_day, 'YYYY_MM');
    summary regclass;
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
    select indexrelid into summary
    from pg_index
    join pg_inherits on inhrelid = indexrelid
    where indrelid = to_regclass(partition_name)
        and inhparent = 'event_by_transaction'::regclass;
    execute format('alter index %s set (autosummarize = off)', summary);
end
$$;

do $$
declare
    summary regclass;
    writer regrole;
begin
    for summary in
        select inhrelid
        from pg_inherits
        where inhparent = 'event_by_transaction'::regclass
    loop
        execute format('alter index %s set (autosummarize = off)', summary);
    end loop;

    -- Roles that could store events before this migration can pack them.
    for writer in
        select distinct grantee::regrole
        from pg_class
        cross join lateral aclexplode(relacl)
        where pg_class.oid = 'event'::regclass
            and privilege_type = 'INSERT'
            and grantee <> 0
            and grantee <> relowner
    loop
        execute format('grant execute on function summarize_events() to %s', writer);
    end loop;
end
$$;
