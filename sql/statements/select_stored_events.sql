-- Finds the events that are stored, by their times and ids: those whose keys `event_key` no longer has.
-- For every event: $1 app number, $2 event id, $3 time. Returns their places, from 1.
select key.place
from unnest($1::integer[], $2::uuid[], $3::timestamptz[]) with ordinality
    as key (app_number, event_id, occurred_at, place)
-- With a limit, so that each event is looked up in the index of its month, whatever the planner expects.
cross join lateral (
    select
    from event
    where event.app_number = key.app_number
        and event.occurred_at = key.occurred_at
        and event.event_id = key.event_id
    limit 1
) as stored
