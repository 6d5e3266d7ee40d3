-- The words of a webhook that are to be sent now, at most one of each event: the earliest that is not given up.
-- $1 the app, $2 the webhook, $3 how many. Without a join, because the planner may expect no words
-- (`delete_settled_events.sql`).
select number, event_id, body, attempts
from (
    select distinct on (event_id) number, event_id, body, attempts, next_attempt_at
    from webhook_delivery
    where app_number = $1
        and webhook_id = $2
        and dead_at is null
    order by event_id, number
) as earliest
where next_attempt_at <= now()
order by number
limit $3
