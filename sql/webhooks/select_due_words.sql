-- The words of a webhook that are to be sent now, at most one of each event: the earliest that is not given up.
-- $1 the app, $2 the webhook, $3 how many.
select number, event_id, body, attempts
from webhook_delivery as word
where app_number = $1
    and webhook_id = $2
    and dead_at is null
    and next_attempt_at <= now()
    and not exists (
        select
        from webhook_delivery as earlier
        where earlier.app_number = $1
            and earlier.webhook_id = $2
            and earlier.event_id = word.event_id
            and earlier.number < word.number
            and earlier.dead_at is null
    )
order by number
limit $3
