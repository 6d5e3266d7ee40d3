-- The functions that a distributed database needs otherwise than one machine. They are made again after every
-- migration, in its transaction.

-- The commits whose second phase has failed: such a part stays prepared on its worker until Citus mends it, within a
-- minute, and its rows cannot be seen. `pg_dist_transaction` has a row for each part, written by the transaction
-- itself. If a worker does not answer, each of its rows counts.
--
-- For the events of an app, only its worker's parts matter, and no other worker is asked. Null: all apps.
create or replace function commits_in_doubt(app integer) returns table (gid text, transaction_id xid)
    language plpgsql
    stable
    set search_path from current
as $$
declare
    part record;
begin
    if not exists (select from pg_dist_transaction) then
        return;
    end if;
    for part in
        select doubtful.groupid, answer.success, answer.result
        from (
            select distinct groupid
            from pg_dist_transaction
            where app is null
                or groupid = (
                    select placement.groupid
                    from pg_dist_placement as placement
                    where shardid = get_shard_id_for_distribution_column('event_key', app)
                )
        ) as doubtful
        join pg_dist_node as node on node.groupid = doubtful.groupid and noderole = 'primary'
        cross join lateral master_run_on_worker(
            array[nodename],
            array[nodeport],
            array[$command$
                select coalesce(string_agg(gid, ' '), '')
                from pg_prepared_xacts
                where database = current_database() and gid like 'citus\_0\_%'
            $command$],
            false
        ) as answer
    loop
        return query
        select doubtful.gid, doubtful.xmin
        from pg_dist_transaction as doubtful
        where doubtful.groupid = part.groupid
            and (not part.success or doubtful.gid = any (string_to_array(part.result, ' ')));
    end loop;
end
$$;

-- Every transaction below it has ended, and what it stored can be seen on every worker.
--
-- A transaction that writes by COPY, or on several workers, commits in two phases: its id ends on the coordinator
-- before the workers learn that their part is committed. Until then, what it stored cannot be seen, although the
-- snapshot's xmin may lie above it. So the horizon is the least of three:
--   1. the snapshot's xmin;
--   2. the ids that are still locked, read after the snapshot: a transaction holds the lock of its id until it has sent
--      the workers its second phase;
--   3. the ids of commits in doubt.
-- It works on the coordinator alone, and must run before the query that needs it takes a snapshot on a worker.
--
-- For the events of an app, only its worker's parts matter (3), and no other worker is asked. Null: all apps.
create or replace function transaction_horizon_of(app integer) returns bigint
    language plpgsql
    stable
    security definer
    set search_path from current
as $$
declare
    known integer;
    snapshot pg_snapshot := pg_current_snapshot();
    -- The next id, and the horizon as an id.
    next bigint := pg_snapshot_xmax(snapshot)::text::bigint;
    horizon bigint := pg_snapshot_xmin(snapshot)::text::bigint;
begin
    select generation into known
    from transaction_generation
    join pg_control_system() using (system_identifier)
    where timeline_id = transaction_timeline()
        and generation = (select max(generation) from transaction_generation);
    if not found then
        return (select (coalesce(max(generation), 0)::bigint + 1) << 44 from transaction_generation);
    end if;
    -- Ids of 32 bits count from `next` backwards; later ones do not matter.
    horizon := least(horizon, (
        select min(next - behind)
        from (
            select (next - transactionid::text::bigint) & 4294967295 as behind
            from pg_locks
            where locktype = 'transactionid'
                and mode = 'ExclusiveLock'
                and granted
        ) as locked
        where behind between 1 and 2147483647
    ));
    horizon := least(horizon, (
        select min(next - behind)
        from (
            select (next - transaction_id::text::bigint) & 4294967295 as behind
            from commits_in_doubt(app)
        ) as doubtful
        where behind between 1 and 2147483647
    ));
    return (known::bigint << 44) + horizon;
end
$$;

create or replace function transaction_horizon() returns bigint
    language sql
    stable
    security definer
    set search_path from current
as $$
    select transaction_horizon_of(null)
$$;

-- Citus sends functions to the workers when they are created. Those that statements call there may be older than the
-- cluster.
do $$
declare
    pure regprocedure;
begin
    for pure in
        select oid
        from pg_proc
        where pronamespace = (select relnamespace from pg_class where oid = 'event'::regclass)
            and prokind = 'f'
            and provolatile = 'i'
            and not exists (
                select
                from pg_dist_object
                where classid = 'pg_proc'::regclass
                    and objid = pg_proc.oid
            )
            and not exists (
                select
                from pg_depend
                where classid = 'pg_proc'::regclass
                    and objid = pg_proc.oid
                    and deptype = 'e'
            )
        order by oid
    loop
        perform create_distributed_function(pure);
    end loop;
end
$$;

-- Summarizes the page ranges of an app's own part of `event` (`event_by_transaction`), as `summarize_events()` does it
-- for all on one machine. Citus has it done by the app's worker.
create or replace function summarize_part(app integer) returns void
    language plpgsql
    security definer
    set search_path from current
    set lock_timeout = '50ms'
as $$
declare
    summary regclass;
begin
    for summary in
        select index.oid
        from pg_inherits
        join pg_index on indrelid = inhrelid
        join pg_class as index on index.oid = indexrelid
        join pg_am on pg_am.oid = index.relam and amname = 'brin'
        where inhparent = to_regclass('event_' || get_shard_id_for_distribution_column('event', app))
    loop
        begin
            perform brin_summarize_new_values(summary);
        exception when lock_not_available then
            null;
        end;
    end loop;
end
$$;
select create_distributed_function('summarize_part(integer)', 'app', colocate_with => 'event_key');

-- A coordinator that was promoted without its last commits does not know the tables that it had made on the workers. If
-- one of them is that of a month, the month could never be made again. So the parts of such months are put aside, the
-- month is made (`ensure_event_partition`), and the events of its parts are stored in it. Each is a transaction of its
-- own, because the workers run it in other sessions.
create or replace function set_months_aside() returns void
    language plpgsql
    security definer
    set search_path from current
as $$
declare
    known text[];
    answer record;
begin
    -- Whoever makes a month holds this lock.
    perform pg_advisory_xact_lock(hashtextextended('tributary event partition', 0));
    known := array(
        select relname::text
        from pg_class
        where relnamespace = (select relnamespace from pg_class where oid = 'event'::regclass)
            and relname ~ '^event_[0-9]{4,}_[0-9]{2}$'
    );
    for answer in
        select *
        from run_command_on_workers(format(
            $command$
            do $worker$
            declare
                part record;
            begin
                set local citus.enable_manual_changes_to_shards = on;
                for part in
                    select
                        shard.oid::regclass as shard,
                        'lost_' || parent.relname || substring(shard.relname from '^event(_[0-9]+_[0-9]+)_') as aside
                    from pg_inherits
                    join pg_class as shard on shard.oid = inhrelid
                    join pg_class as parent on parent.oid = inhparent
                    where shard.relname ~ '^event_[0-9]{4,}_[0-9]{2}_[0-9]+$'
                        and parent.relname ~ '^event_[0-9]+$'
                        and shard.relnamespace = to_regnamespace(%1$L)
                        and substring(shard.relname from '^(event_[0-9]+_[0-9]+)_') <> all (%2$L::text[])
                loop
                    -- Not renamed: the names of its indexes may be given again too.
                    execute format(
                        'create table if not exists %%I as select * from %%s with no data',
                        part.aside,
                        part.shard
                    );
                    execute format('insert into %%I select * from %%s', part.aside, part.shard);
                    execute format('drop table %%s', part.shard);
                end loop;
                for part in
                    select relname::text as name
                    from pg_class
                    where relname ~ '^event_[0-9]{4,}_[0-9]{2}$'
                        and relnamespace = to_regnamespace(%1$L)
                        and relname <> all (%2$L::text[])
                loop
                    perform worker_drop_distributed_table(part.name);
                end loop;
            end
            $worker$
            $command$,
            current_schema(),
            known
        ))
    loop
        if not answer.success then
            raise 'the worker %:%: %', answer.nodename, answer.nodeport, answer.result;
        end if;
    end loop;
end
$$;

-- Stores the events of the parts that were put aside. Those whose month has no table stay aside.
create or replace function take_up_lost_events() returns void
    language plpgsql
    security definer
    set search_path from current
as $$
begin
    perform run_command_on_workers(format(
        $command$
        do $worker$
        declare
            part record;
        begin
            set local citus.enable_manual_changes_to_shards = on;
            for part in
                select oid::regclass as name, to_regclass(substring(relname from 'event_[0-9]+')) as parent
                from pg_class
                where relname ~ '^lost_event_[0-9]+_[0-9]{4,}_[0-9]{2}$'
                    and relnamespace = to_regnamespace(%L)
            loop
                -- The part of these apps has been moved away.
                continue when part.parent is null;
                begin
                    execute format('insert into %%s select * from %%s', part.parent, part.name);
                    execute format('drop table %%s', part.name);
                -- The month has no table.
                exception when check_violation then
                    null;
                end;
            end loop;
        end
        $worker$
        $command$,
        current_schema()
    ));
end
$$;

revoke execute on function summarize_part(integer), set_months_aside(), take_up_lost_events() from public;
-- They are for those who store events, as `summarize_events()` is.
do $$
declare
    writer regrole;
begin
    for writer in
        select distinct grantee::regrole
        from pg_proc
        cross join lateral aclexplode(proacl)
        where oid = 'summarize_events'::regproc
            and grantee <> 0
            and grantee <> proowner
    loop
        execute format(
            'grant execute on function summarize_part(integer), set_months_aside(), take_up_lost_events() to %s',
            writer
        );
    end loop;
end
$$;
