-- The events of an app that happened last, the newest first, for the page Live (docs/dashboard.md): by `event_identity`.
-- $1 the app's number, $2 how many at most.
select
    type::text,
    occurred_at,
    channel::text,
    refs,
    user_id,
    device_id,
    click_id,
    coalesce(test_traffic, false) as is_test
from event
where app_number = $1
order by occurred_at desc, event_id desc
limit $2
