-- Which transaction stored an event, so that whoever reads piece by piece knows what is new: of the transactions below
-- `transaction_horizon()` all have ended, and none will store below it again. A time of receipt cannot tell that, since
-- transactions that began earlier may commit later.

-- PostgreSQL's transaction ids start again in a restored cluster and go back after a failover that lost some. Each such
-- history gets a generation, whose numbers all lie above those of the generations before.
create table transaction_generation (
    generation integer generated always as identity,
    system_identifier bigint not null,
    timeline_id integer not null,
    constraint transaction_generation_pkey primary key (generation),
    constraint transaction_generation_history unique (system_identifier, timeline_id)
);

-- The number of the transaction at hand. 2^44 ids fit into a generation, 2^19 generations into a bigint.
create function current_transaction_number() returns bigint
    language plpgsql
    volatile
    security definer
    set search_path from current
as $$
declare
    history record;
    known integer;
begin
    select system_identifier, timeline_id into history from pg_control_system(), pg_control_checkpoint();
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
create function transaction_horizon() returns bigint
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
            join pg_control_checkpoint() using (timeline_id)
        ),
        (select (coalesce(max(generation), 0)::bigint + 1) << 44 from transaction_generation)
    )
$$;

-- Those stored before this migration have the number 0. A check and not "not null", which the stage (`create_stage.sql`)
-- would take over: there the number is not known yet.
alter table event add column transaction_number bigint default 0;
alter table event alter column transaction_number drop default;
alter table event add constraint event_transaction_number_known check (transaction_number is not null);

-- For: what was stored since a transaction. Rows lie nearly in that order, so that a summary of page ranges is enough, and
-- storing pays next to nothing for it.
create index event_by_transaction on event using brin (transaction_number)
    with (pages_per_range = 32, autosummarize = on);
