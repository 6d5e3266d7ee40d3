-- Deletes events of an app ($1) in a range of time ($2 inclusive, $3 exclusive): those that happened at $4 and have the ids
-- $5.
delete from event
using unnest($4::text[], $5::text[]) as doomed (occurred_at, event_id)
where event.app_number = $1
    and event.occurred_at >= $2
    and event.occurred_at < $3
    and event.occurred_at = doomed.occurred_at::timestamptz
    and event.event_id = doomed.event_id::uuid
