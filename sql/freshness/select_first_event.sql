-- When the first event of an app happened; null without events.
-- $1 app_number.
select min(occurred_at)
from event
where app_number = $1
    and test_traffic is not true
