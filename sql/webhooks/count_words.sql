-- How many words wait, how many were given up, and for how many seconds the oldest has waited. $1 the app, $2 the
-- webhook.
select
    count(*) filter (where dead_at is null),
    count(*) filter (where dead_at is not null),
    coalesce(extract(epoch from now() - min(created_at) filter (where dead_at is null)), 0)::float8
from webhook_delivery
where app_number = $1
    and webhook_id = $2
