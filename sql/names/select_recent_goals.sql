-- The goals of the app's newest events, the most frequent first (docs/attributions.md).
--   $1 app number, $2 how many events
with newest as materialized (
    select goal
    from event
    where app_number = $1
        and test_traffic is not true
    order by occurred_at desc
    limit $2
)
select goal
from newest
where goal is not null
group by goal
order by count(*) desc, goal
