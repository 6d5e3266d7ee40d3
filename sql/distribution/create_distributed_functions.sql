-- The functions that a distributed database needs otherwise than one machine. They are made again after every
-- migration, in its transaction.

-- Every transaction below it has ended, and what it stored can be seen on every worker.
--
-- A transaction that writes by COPY, or on several workers, commits in two phases: its id ends on the coordinator
-- before the workers learn that their part is committed. Until then, what it stored cannot be seen, although the
-- snapshot's xmin may lie above it. So the horizon is the least of three:
--   1. the snapshot's xmin;
--   2. the ids that are still locked, read after the snapshot: a transaction holds the lock of its id until it has sent
--      the workers its second phase;
--   3. the ids of committed transactions whose second phase has failed. Such a part stays prepared on its worker until
--      Citus mends it, within a minute. `pg_dist_transaction` has a row for each part, written by the transaction
--      itself. If a worker does not answer, each of its rows counts.
-- It works on the coordinator alone, and must run before the query that needs it takes a snapshot on a worker.
create or replace function transaction_horizon() returns bigint
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
    part record;
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
    if exists (select from pg_dist_transaction) then
        for part in
            select node.groupid, answer.success, answer.result
            from run_command_on_workers(
                $command$
                select coalesce(string_agg(gid, ' '), '')
                from pg_prepared_xacts
                where database = current_database() and gid like 'citus\_0\_%'
                $command$
            ) as answer
            join pg_dist_node as node using (nodename, nodeport)
        loop
            horizon := least(horizon, (
                select min(next - behind)
                from (
                    select (next - xmin::text::bigint) & 4294967295 as behind
                    from pg_dist_transaction
                    where groupid = part.groupid
                        and (not part.success or gid = any (string_to_array(part.result, ' ')))
                ) as doubtful
                where behind between 1 and 2147483647
            ));
        end loop;
    end if;
    return (known::bigint << 44) + horizon;
end
$$;

-- Summarizes the page ranges of a worker's own shards of `event` (`event_by_transaction`), as `summarize_events()` does
-- it on one machine.
create or replace function summarize_shards() returns void
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
        from pg_index
        join pg_class as index on index.oid = indexrelid
        join pg_class as shard on shard.oid = indrelid
        join pg_am on pg_am.oid = index.relam and amname = 'brin'
        where shard.relkind = 'r'
            and shard.relname ~ '^event_[0-9]{4,}_[0-9]{2}_[0-9]+$'
            and shard.relnamespace = (select relnamespace from pg_class where oid = 'event'::regclass)
    loop
        begin
            perform brin_summarize_new_values(summary);
        exception when lock_not_available then
            null;
        end;
    end loop;
end
$$;
revoke execute on function summarize_shards() from public;

create or replace function summarize_events() returns void
    language plpgsql
    security definer
    set search_path from current
as $$
begin
    perform run_command_on_all_nodes(format('select %I.summarize_shards()', current_schema()));
end
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
