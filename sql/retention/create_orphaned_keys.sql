-- The devices and clicks of people who have no events left, in the order in which they are removed. A table of the
-- session: there may be millions.
drop table if exists pg_temp.orphaned_key;
create temporary table orphaned_key (
    place bigint generated always as identity,
    key text not null,
    person text not null,
    -- The link that events of other people give the key; null if they give none.
    user_id text,
    device_id text,
    precedence integer,
    occurred_at timestamptz,
    event_id uuid
);
