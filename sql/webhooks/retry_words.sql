-- Makes words that failed due now, as if they had never been sent. $1 the app, $2 the webhook, $3 a number; null: all.
update webhook_delivery
set attempts = 0,
    next_attempt_at = now(),
    dead_at = null
where app_number = $1
    and webhook_id = $2
    and attempts > 0
    and ($3::bigint is null or number = $3)
