-- Finds the events that are stored, by their times and ids: those whose keys `event_key` no longer has.
-- For every event: $1 app number, $2 event id, $3 time. Returns their places, from 1.
select key.place
from unnest($1::integer[], $2::uuid[], $3::timestamptz[]) with ordinality
    as key (app_number, event_id, occurred_at, place)
join event
    on event.app_number = key.app_number
    and event.occurred_at = key.occurred_at
    and event.event_id = key.event_id
