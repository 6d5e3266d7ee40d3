-- The clicks of an app ($1) that a code may stand for: the last bytes of their ids are $2, and they are not older than $3 seconds.
-- There may be two, though hardly ever. Index `event_clicks_by_code`.
select event_id::text
from event
where app_number = $1
    and type = 'link_click'
    and properties ? 'shows_code'
    and substr(uuid_send(event_id), 12) = $2
    and occurred_at >= now() - $3 * interval '1 second'
limit 2
