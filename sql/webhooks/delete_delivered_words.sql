-- Forgets delivered words, and earlier ones of the same events that were given up: their time is over. $1 the app,
-- $2 the webhook, $3 the events, $4 the numbers.
delete from webhook_delivery as word
using unnest($3::text[]::uuid[], $4::text[]::bigint[]) as delivered (event_id, number)
where word.app_number = $1
    and word.webhook_id = $2
    and word.event_id = delivered.event_id
    and word.number <= delivered.number
