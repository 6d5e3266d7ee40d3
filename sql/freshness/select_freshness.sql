-- When the last event of an app was received, and how many of yesterday's events came more than an hour late. The last
-- one is looked for among the 5,000 that happened last. Events that happened before the app was made are history that
-- somebody brought in: they are not late.
-- $1 app_number, $2 and $3 the first instants of yesterday and today.
with newest as (
    select received_at
    from event
    where app_number = $1
    order by occurred_at desc
    limit 5000
)
select
    (select max(received_at) from newest),
    count(*),
    count(*) filter (where received_at > occurred_at + interval '1 hour')
from event
where app_number = $1
    and occurred_at >= greatest($2, (select created_at from app where app_number = $1))
    and occurred_at < $3
