-- What webhooks have still to deliver, or could not, and what names a person. $1 the app, $2 the person's keys.
select body, dead_at is not null
from webhook_delivery
where app_number = $1
    and mentioned && $2::text[]
order by webhook_id, number
