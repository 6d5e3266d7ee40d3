-- Words to deliver. $1 the app, $2 the webhook, $3 the number of the first, $4 the events, $5 the bodies, $6 the people
-- whom each names, as a JSON array, $7 their ids, $8 the times of the events.
insert into webhook_delivery (
    app_number, webhook_id, number, event_id, body, mentioned, message_id, occurred_at
)
select
    $1,
    $2,
    $3::bigint + position - 1,
    event_id,
    body,
    array(select jsonb_array_elements_text(mentioned)),
    message_id,
    occurred_at
from (
    -- Citus cannot send `unnest` of several arrays from a subquery.
    select
        unnest($4::text[]::uuid[]) as event_id,
        unnest($5::text[]) as body,
        unnest($6::text[]::jsonb[]) as mentioned,
        unnest($7::text[]) as message_id,
        unnest($8::text[]::timestamptz[]) as occurred_at,
        generate_subscripts($4::text[], 1) as position
) as word
