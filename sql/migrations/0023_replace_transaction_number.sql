-- A dump may come back to its first server by way of another one, which has stored events since. That server's history was known,
-- with a generation below the newest: what it stored got numbers below those up to which readers have read, and they never saw it.
-- A known generation counts only as long as it is the newest; else its history goes on in a new one.

-- The number of the transaction at hand. 2^44 ids fit into a generation, 2^19 generations into a bigint.
create or replace function current_transaction_number() returns bigint
    language plpgsql
    volatile
    security definer
    set search_path from current
as $$
declare
    -- Of this session: the table's oid, in case there is another schema with another one, or a dump is restored meanwhile, which
    -- makes it anew; and its generation. By another name than before: sessions that have remembered one that is not the newest
    -- go on after this migration. A transaction that is rolled back takes it along, as it does the generation that it has
    -- made.
    remembered text := current_setting('tributary.newest_generation', true);
    history record;
    known integer;
begin
    if split_part(remembered, ' ', 1) = 'transaction_generation'::regclass::oid::text then
        known := split_part(remembered, ' ', 2);
    else
        select system_identifier, transaction_timeline() as timeline_id into history from pg_control_system();
        select generation into known
        from transaction_generation
        where transaction_generation.system_identifier = history.system_identifier
            and transaction_generation.timeline_id = history.timeline_id
            and generation = (select max(generation) from transaction_generation);
        if not found then
            -- Of two who come at once the second waits here or below, and takes what the first has made.
            update transaction_generation
            set generation = default
            where transaction_generation.system_identifier = history.system_identifier
                and transaction_generation.timeline_id = history.timeline_id
                and generation < (select max(generation) from transaction_generation);
            insert into transaction_generation (system_identifier, timeline_id)
            values (history.system_identifier, history.timeline_id)
            on conflict do nothing;
            select generation into known
            from transaction_generation
            where transaction_generation.system_identifier = history.system_identifier
                and transaction_generation.timeline_id = history.timeline_id;
        end if;
        if not pg_is_in_recovery() then
            perform set_config('tributary.newest_generation', 'transaction_generation'::regclass::oid || ' ' || known, false);
        end if;
    end if;
    return (known::bigint << 44) + pg_current_xact_id()::text::bigint;
end
$$;

-- Every transaction below it has ended, as the snapshot at hand sees it. In a history in which nothing has been stored yet, or
-- nothing since another one did, it is the start of the next generation.
create or replace function transaction_horizon() returns bigint
    language sql
    stable
    security definer
    set search_path from current
as $$
    select coalesce(
        (
            select (generation::bigint << 44) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint
            from transaction_generation
            join pg_control_system() using (system_identifier)
            where timeline_id = transaction_timeline()
                and generation = (select max(generation) from transaction_generation)
        ),
        (select (coalesce(max(generation), 0)::bigint + 1) << 44 from transaction_generation)
    )
$$;
