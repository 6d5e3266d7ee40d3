-- Finds the events of an app ($1) that are stored, by their times and ids: those whose keys `event_key` no longer has.
-- For every event: $2 event id, $3 time. Returns their places, from 1.
select key.place
from unnest($2::uuid[], $3::timestamptz[]) with ordinality as key (event_id, occurred_at, place)
-- With a limit, so that each event is looked up in the index of its month, whatever the planner expects.
cross join lateral (
    select
    from event
    -- One app, so that a cluster asks its worker alone.
    where event.app_number = $1::integer
        and event.occurred_at = key.occurred_at
        and event.event_id = key.event_id
    limit 1
) as stored
