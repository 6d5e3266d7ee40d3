-- The words of a webhook that wait or were given up. $1 the app, $2 the webhook, $3 only those that failed, $4 how
-- many.
select number, event_id, body::jsonb ->> 'type', created_at, attempts, next_attempt_at, last_error, dead_at
from webhook_delivery
where app_number = $1
    and webhook_id = $2
    and (not $3 or attempts > 0)
order by number
limit $4
