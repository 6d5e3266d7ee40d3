-- The person that is being erased, for the statements that clear derived tables (StoredTable): the keys, in the form
-- that reports use, and the events.
create temporary table if not exists erased_key (key text collate "C" not null) on commit delete rows;
create temporary table if not exists erased_event (
    event_id uuid not null,
    occurred_at timestamptz not null
) on commit delete rows;
