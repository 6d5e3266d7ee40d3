-- The server reads its control file for the identity of its history, and that was a twentieth of what a small group of events
-- cost it. A session need ask only once: as long as it lasts it belongs to one server, and a server that writes stays on its
-- timeline until it stops, which ends the session. On a standby, whose timeline changes with a promotion that its sessions
-- survive, nothing is remembered.

-- The number of the transaction at hand. 2^44 ids fit into a generation, 2^19 generations into a bigint.
create or replace function current_transaction_number() returns bigint
    language plpgsql
    volatile
    security definer
    set search_path from current
as $$
declare
    -- Of this session: the table's oid, in case there is another schema with another one, and its generation. A transaction
    -- that is rolled back takes it along, as it does the generation that it has made.
    remembered text := current_setting('tributary.generation', true);
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
        if not pg_is_in_recovery() then
            perform set_config('tributary.generation', 'transaction_generation'::regclass::oid || ' ' || known, false);
        end if;
    end if;
    return (known::bigint << 44) + pg_current_xact_id()::text::bigint;
end
$$;
