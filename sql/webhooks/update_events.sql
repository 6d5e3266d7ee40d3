-- What is known of events after they were looked at. $1 the app, $2 the webhook, $3 their ids, $4 what was told last,
-- $5 their people, $6 and $7 the keys and the people whom the credits name, as JSON arrays, $8 which are settled.
--
-- `offset 0` hides the webhook from the planner. A table that was never analyzed has few rows for it; it would compare
-- all events of the webhook with all of these.
update webhook_event
set told = nullif(known.told, ''),
    person = nullif(known.person, ''),
    keys = array(select jsonb_array_elements_text(known.keys)),
    mentioned = array(select jsonb_array_elements_text(known.mentioned)),
    is_stale = false,
    is_settled = known.is_settled
from (
    -- Citus cannot send `unnest` of several arrays from a subquery.
    select
        $2::text collate "C" as webhook_id,
        unnest($3::text[]::uuid[]) as event_id,
        unnest($4::text[]) as told,
        unnest($5::text[]) as person,
        unnest($6::text[]::jsonb[]) as keys,
        unnest($7::text[]::jsonb[]) as mentioned,
        unnest($8::text[]::boolean[]) as is_settled
    offset 0
) as known
where webhook_event.app_number = $1
    and webhook_event.webhook_id = known.webhook_id
    and webhook_event.event_id = known.event_id
