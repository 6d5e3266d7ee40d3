-- When what figures count has changed since a look, by kind and to the hour; more than that, never less. $1 app_number;
-- of the look: $2 horizon, $3 generation, $4 snapshot.
--
-- Beside the new events themselves:
--   - a link of a device or a click that a new event made or changed gives all events that carry only that id to somebody
--     else;
--   - a new post gives refs to touches that had none (DOMAIN.md section 3);
--   - an install that is new, or somebody else's now, decides whether that person's later installs count.
-- A touch lies somewhere from `low` to `high`: a deferred one without the time of its tap in the 24 hours before it came in.
with news as materialized (
    select
        event_id, type, occurred_at, user_id, device_id, click_id, channel, deferred, clicked_at, test_traffic,
        post_id, story_key, outcome
    from event
    where app_number = $1
        and transaction_number >= $2
        and (
            transaction_number >> 44 <> $3
            or not pg_visible_in_snapshot((transaction_number & ((1::bigint << 44) - 1))::text::xid8, $4::text::pg_snapshot)
        )
),
-- What is looked up by key is looked up for each key (`lateral … offset 0`), however little the planner knows of tables that
-- have not been analyzed yet; the refresher turns other nested loops off.
changed_device as materialized (
    select link.device_id, link.occurred_at
    from (select distinct device_id from news where user_id is not null and device_id is not null) as device
    cross join lateral (
        select device_id, occurred_at, event_id
        from device_link
        where app_number = $1
            and device_id = device.device_id
        offset 0
    ) as link
    where link.event_id in (select event_id from news)
),
changed_click as materialized (
    select link.click_id, link.occurred_at
    from (
        select distinct click_id
        from news
        where click_id is not null
            and (user_id is not null or device_id is not null)
    ) as click
    cross join lateral (
        select click_id, occurred_at, event_id
        from click_link
        where app_number = $1
            and click_id = click.click_id
        offset 0
    ) as link
    where link.event_id in (select event_id from news)
    union
    select link.click_id, link.occurred_at
    from changed_device
    cross join lateral (
        select click_id, occurred_at
        from click_link
        where app_number = $1
            and user_id is null
            and device_id = changed_device.device_id
        offset 0
    ) as link
),
-- The events of changed owners, whoever owned them before.
moved as materialized (
    select moved.*
    from changed_device
    cross join lateral (
        select event_id, type, occurred_at, channel, deferred, clicked_at, test_traffic
        from event
        where app_number = $1
            and user_id is null
            and device_id is not null
            and device_id = changed_device.device_id
        offset 0
    ) as moved
    union all
    select moved.*
    from changed_click
    cross join lateral (
        select event_id, type, occurred_at, channel, deferred, clicked_at, test_traffic
        from event
        where app_number = $1
            and user_id is null
            and device_id is null
            and click_id is not null
            and click_id = changed_click.click_id
        offset 0
    ) as moved
),
new_story as materialized (
    select story_key, min(occurred_at) as since
    from news
    where type = 'feed_post'
        and story_key is not null
        and outcome in ('posted', 'unconfirmed')
    group by story_key
),
joined as (
    select touch.*
    from (select post_id from news where type = 'feed_post' and post_id is not null) as post
    cross join lateral (
        select type, occurred_at, deferred, clicked_at, test_traffic
        from event
        where app_number = $1
            and channel is not null
            and refs = '{}'
            and post_id is not null
            and post_id = post.post_id
        offset 0
    ) as touch
    union all
    select event.type, event.occurred_at, event.deferred, event.clicked_at, event.test_traffic
    from new_story
    join event
        on event.app_number = $1
        and event.channel is not null
        and event.refs = '{}'
        and event.post_id is null
        and event.story_key = new_story.story_key
        and event.occurred_at >= new_story.since
    where event.occurred_at >= (select min(since) from new_story)
),
changed_install as materialized (
    select event_id, occurred_at
    from news
    where type = 'install' and test_traffic is not true
    union
    select event_id, occurred_at
    from moved
    where type = 'install' and test_traffic is not true
),
-- Who has or had them. A device that has an owner keeps none of its own. Before, its owner was that of a later event.
former_device as (
    select event.user_id, changed_device.device_id
    from changed_device
    join event
        on event.app_number = $1
        and event.device_id = changed_device.device_id
        and event.user_id is not null
        and event.occurred_at >= changed_device.occurred_at
    where event.occurred_at >= (select min(occurred_at) from changed_device)
        and exists (select from changed_install)
),
former_click as (
    select event.user_id, event.device_id
    from changed_click
    join event
        on event.app_number = $1
        and event.click_id = changed_click.click_id
        and (event.user_id is not null or event.device_id is not null)
        and event.occurred_at >= changed_click.occurred_at
    where event.occurred_at >= (select min(occurred_at) from changed_click)
        and exists (select from changed_install)
),
-- All installs that may be of those people, and so may count or not count now.
later_install as materialized (
    select
        event.event_id,
        event.occurred_at,
        coalesce(
            'u' || event.user_id,
            'u' || device.user_id,
            'd' || event.device_id,
            'u' || click.user_id,
            'u' || click_device.user_id,
            'd' || click.device_id,
            'c' || event.click_id
        ) as person
    from event
    left join lateral (
        select user_id
        from device_link
        where event.user_id is null
            and app_number = $1
            and device_id = event.device_id
        offset 0
    ) as device on true
    left join lateral (
        select user_id, device_id
        from click_link
        where event.user_id is null
            and event.device_id is null
            and app_number = $1
            and click_id = event.click_id
        offset 0
    ) as click on true
    left join lateral (
        select user_id
        from device_link
        where click.user_id is null
            and app_number = $1
            and device_id = click.device_id
        offset 0
    ) as click_device on true
    where event.app_number = $1
        and (event.type = 'install' or event.deferred)
        and event.type = 'install'
        and event.test_traffic is not true
        and event.occurred_at >= (select min(occurred_at) from changed_install)
),
suspect as (
    select later_install.person
    from changed_install
    join later_install using (event_id)
    union
    select 'u' || user_id
    from former_device
    union
    select 'u' || user_id
    from former_click
    where user_id is not null
    union
    select 'd' || device_id
    from former_click
    where user_id is null
    union
    select 'u' || link.user_id
    from former_click
    cross join lateral (
        select user_id
        from device_link
        where app_number = $1
            and device_id = former_click.device_id
        offset 0
    ) as link
    where former_click.user_id is null
),
touch as (
    select type, occurred_at, deferred, clicked_at
    from news
    where channel is not null and test_traffic is not true
    union all
    select type, occurred_at, deferred, clicked_at
    from moved
    where channel is not null and test_traffic is not true
    union all
    select type, occurred_at, deferred, clicked_at
    from joined
    where test_traffic is not true
),
changed as (
    select
        'touch' as kind,
        case
            when not (deferred or type = 'install') then occurred_at
            else coalesce(clicked_at, occurred_at - interval '24 hours')
        end as low,
        case when deferred or type = 'install' then coalesce(clicked_at, occurred_at) else occurred_at end as high
    from touch
    union all
    select type::text, occurred_at, occurred_at
    from news
    where type not in ('inbound_link', 'link_click') and test_traffic is not true
    union all
    select type::text, occurred_at, occurred_at
    from moved
    where type not in ('inbound_link', 'link_click') and test_traffic is not true
    union all
    select 'install', occurred_at, occurred_at
    from later_install
    where person in (select person from suspect)
)
select distinct kind, date_trunc('hour', low, 'UTC') as low, date_trunc('hour', high, 'UTC') as high
from changed
