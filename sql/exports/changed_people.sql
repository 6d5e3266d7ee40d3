-- The people of an app whose touches, credits or figures may have changed since the transaction `tributary.since`.
-- People are named as `event_person` does it; an event without an id is named by 'e' and its event id. The
-- result may contain people of whom nothing has changed, but it never misses one of whom something has.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.since          a transaction_number
with fresh as materialized (
    select event_id, type, occurred_at, user_id, device_id, click_id, story_key, post_id, outcome
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and transaction_number >= current_setting('tributary.since')::bigint
    union all
    -- What was read again since (`tributary reread`). Only then are all events looked at.
    select event_id, type, occurred_at, user_id, device_id, click_id, story_key, post_id, outcome
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and transaction_number < current_setting('tributary.since')::bigint
        and reread_transaction >= current_setting('tributary.since')::bigint
        and (
            select exists (
                select 1
                from reread
                where app_number = current_setting('tributary.app_number')::integer
                    and last_transaction >= current_setting('tributary.since')::bigint
            )
        )
),
-- A new post gives its refs to touches that have none, and all of these say that they came from it: those with its post
-- id, also with refs of their own, and those without refs of the same link from the post's time on.
fresh_story as materialized (
    select story_key, min(occurred_at) as first_posted_at
    from fresh
    where type = 'feed_post'
        and story_key is not null
        and is_story_post(outcome)
    group by story_key
),
fresh_post as materialized (
    select post_id
    from fresh
    where type = 'feed_post'
        and post_id is not null
),
retold as (
    select event.event_id, event.user_id, event.device_id, event.click_id
    from event
    join fresh_story using (story_key)
    where event.app_number = current_setting('tributary.app_number')::integer
        and event.channel is not null
        and event.refs = '{}'
        and event.occurred_at >= fresh_story.first_posted_at
        and (select exists (select from fresh_story))
    union all
    select event.event_id, event.user_id, event.device_id, event.click_id
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and channel is not null
        and post_id in (select post_id from fresh_post)
        and (select exists (select from fresh_post))
),
concerned as (
    select event_id, user_id, device_id, click_id from fresh
    union all
    select event_id, user_id, device_id, click_id from retold
),
-- Devices and clicks whose link comes from a new event: their owner may have changed.
linked_device as materialized (
    select device_id
    from device_link
    join fresh using (device_id, event_id)
    where device_link.app_number = current_setting('tributary.app_number')::integer
),
linked_click as materialized (
    select click_id
    from click_link
    join fresh using (click_id, event_id)
    where click_link.app_number = current_setting('tributary.app_number')::integer
),
-- Their possible former owners, who have lost events: the device or click itself, and every user or device that an
-- event names together with it.
named_with_click as materialized (
    select user_id, device_id
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and (user_id is not null or device_id is not null)
        and click_id in (select click_id from linked_click)
        and (select exists (select from linked_click))
),
former as (
    select 'd' || device_id as person from linked_device
    union all
    select 'c' || click_id from linked_click
    union all
    select 'u' || user_id
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and user_id is not null
        and device_id in (select device_id from linked_device)
        and (select exists (select from linked_device))
    union all
    select 'u' || user_id from named_with_click
    union all
    select 'd' || device_id from named_with_click
    union all
    select 'u' || device_link.user_id
    from named_with_click
    join device_link using (device_id)
    where device_link.app_number = current_setting('tributary.app_number')::integer
),
current_person as (
    select
        coalesce(
            event_person(
                concerned.user_id,
                device.user_id,
                concerned.device_id,
                click_owner(click.user_id, click_device.user_id, click.device_id),
                concerned.click_id
            ),
            'e' || concerned.event_id
        ) as person
    from concerned
    left join device_link as device
        on concerned.user_id is null
        and device.app_number = current_setting('tributary.app_number')::integer
        and device.device_id = concerned.device_id
    left join click_link as click
        on concerned.user_id is null
        and concerned.device_id is null
        and click.app_number = current_setting('tributary.app_number')::integer
        and click.click_id = concerned.click_id
    left join device_link as click_device
        on click.user_id is null
        and click_device.app_number = current_setting('tributary.app_number')::integer
        and click_device.device_id = click.device_id
)
select person from current_person
union
select person from former
where person is not null
