-- Deletes events of an app ($1) by their times ($4) and ids ($5). All of them are in the range from $2, inclusive, to
-- $3, exclusive.
delete from event
using unnest($4::text[]::timestamptz[], $5::text[]::uuid[]) as doomed (occurred_at, event_id)
where event.app_number = $1
    and event.occurred_at >= $2
    and event.occurred_at < $3
    and event.occurred_at = doomed.occurred_at
    and event.event_id = doomed.event_id
