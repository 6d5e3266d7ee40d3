-- The words of a webhook that are to be sent now, at most one of each event: the earliest that is not given up.
-- $1 the app, $2 the webhook, $3 how many, $4 about how many bytes. Without a join, because the planner may expect no
-- words (`delete_settled_events.sql`).
select number, event_id, body, attempts, message_id
from (
    select
        *,
        sum(octet_length(body)) over (
            order by number
            rows between unbounded preceding and 1 preceding
        ) as bytes_before
    from (
        select distinct on (event_id) number, event_id, body, attempts, message_id, next_attempt_at
        from webhook_delivery
        where app_number = $1
            and webhook_id = $2
            and dead_at is null
        order by event_id, number
    ) as earliest
    where next_attempt_at <= now()
) as due
where coalesce(bytes_before, 0) < $4::bigint
order by number
limit $3
