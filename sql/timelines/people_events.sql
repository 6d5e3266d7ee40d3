-- The events of some people, each found by an index: what `timelines.sql` reads in place of all events
-- (`PeopleTimelines`).
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.users, tributary.devices, tributary.clicks    arrays: the people's keys
--   tributary.types                                         array of event types
select event.*
from event
where app_number = current_setting('tributary.app_number')::integer
    and user_id = any (current_setting('tributary.users')::text[])
    and type = any (current_setting('tributary.types')::event_type[])
union all
select event.*
from event
where app_number = current_setting('tributary.app_number')::integer
    and user_id is null
    and device_id is not null
    and device_id = any (current_setting('tributary.devices')::text[])
    and type = any (current_setting('tributary.types')::event_type[])
union all
select event.*
from event
where app_number = current_setting('tributary.app_number')::integer
    and user_id is null
    and device_id is null
    and click_id is not null
    and click_id = any (current_setting('tributary.clicks')::text[])
    and type = any (current_setting('tributary.types')::event_type[])
