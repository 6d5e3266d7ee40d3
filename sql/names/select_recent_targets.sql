-- The targets of the app's newest events (docs/reports.md, *Names that occur nowhere*).
--   $1 app number, $2 how many events
with newest as materialized (
    select target_url
    from event
    where app_number = $1
        and test_traffic is not true
    order by occurred_at desc
    limit $2
)
select distinct target_url
from newest
where target_url is not null
