-- The events of one person that credits depend on: installs, conversions and touches, each found by an index. The rows
-- are those of `timelines.sql` for this person, without refs and posts.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.types           array of event types
--   tributary.person          the person, as `timelines.sql` names it
--   tributary.users, tributary.devices, tributary.clicks    arrays of the person's ids
with own as not materialized (
    select event.*
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and user_id = any (current_setting('tributary.users')::text[])
    union all
    select event.*
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and user_id is null
        and device_id = any (current_setting('tributary.devices')::text[])
    union all
    select event.*
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and user_id is null
        and device_id is null
        and click_id = any (current_setting('tributary.clicks')::text[])
)
select
    current_setting('tributary.person')::text as person,
    type,
    occurred_at,
    event_id,
    platform,
    channel,
    authenticated,
    deferred,
    clicked_at,
    null::text[] as refs,
    null::text as referer_app,
    null::text as target_url,
    outcome,
    login_outcome,
    composer,
    goal,
    value,
    currency,
    null::uuid as story_post_id,
    null::timestamptz as story_posted_at
from own
where type = any (current_setting('tributary.types')::event_type[])
    and test_traffic is not true
