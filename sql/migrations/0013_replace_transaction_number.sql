-- After a promotion the control file tells the new timeline only once the first checkpoint is complete, which may take
-- minutes. Until then transactions got numbers of the history before: of ids that a lost primary had given out already, or
-- below a horizon that jumped ahead of them when the checkpoint was complete. The server knows its timeline at once where it
-- names the file of its write-ahead log.

-- The timeline that this server writes, or on a standby replays.
create function transaction_timeline() returns integer
    language plpgsql
    stable
    set search_path from current
as $$
begin
    if pg_is_in_recovery() then
        return (select greatest(timeline_id, min_recovery_end_timeline) from pg_control_checkpoint(), pg_control_recovery());
    end if;
    return ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
end
$$;
-- It works for the two functions below, with their owner's rights.
revoke execute on function transaction_timeline() from public;

-- The number of the transaction at hand. 2^44 ids fit into a generation, 2^19 generations into a bigint.
create or replace function current_transaction_number() returns bigint
    language plpgsql
    volatile
    security definer
    set search_path from current
as $$
declare
    history record;
    known integer;
begin
    select system_identifier, transaction_timeline() as timeline_id into history from pg_control_system();
    select generation into known
    from transaction_generation
    where transaction_generation.system_identifier = history.system_identifier
        and transaction_generation.timeline_id = history.timeline_id;
    if not found then
        insert into transaction_generation (system_identifier, timeline_id)
        values (history.system_identifier, history.timeline_id)
        on conflict do nothing;
        select generation into known
        from transaction_generation
        where transaction_generation.system_identifier = history.system_identifier
            and transaction_generation.timeline_id = history.timeline_id;
    end if;
    return (known::bigint << 44) + pg_current_xact_id()::text::bigint;
end
$$;

-- Every transaction below it has ended, as the snapshot at hand sees it. In a history in which nothing has been stored
-- yet it is the start of the next generation.
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
        ),
        (select (coalesce(max(generation), 0)::bigint + 1) << 44 from transaction_generation)
    )
$$;
