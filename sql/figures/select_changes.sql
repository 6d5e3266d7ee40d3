-- The change scan: the hours, by kind, in which something that figures count has changed since the last scan. It may
-- return too many hours, never too few. $1 app_number; of the last scan: $2 horizon, $3 generation, $4 snapshot.
--
-- Apart from the new events themselves:
--   - A link that a new event made or changed gives all events that carry only that device or click to another person.
--   - A new post gives refs to touches that had none (docs/links.md, *The story join*). Touches with its id came from it
--     whatever their refs (`viral`).
--   - An install that is new, or belongs to another person now, decides whether that person's later installs count.
--   - A click on a short link and the opens that name it are one touch: at the click, which may be up to 7 days before
--     the open or an hour after it.
--   - Opens that tell of one tap are one touch, and one of them may name a click.
-- A touch happened between `low` and `high`: a deferred touch without the time of its tap, in the 24 hours before it.
-- If the tap is said to be later than its open, the other opens of this tap may be as late as the tap.
--
-- Many events may be new, so the work for each of them is small.
with look as materialized (
    select
        $4::text::pg_snapshot as snapshot,
        -- The last scan cannot have seen transactions from this number on.
        ($3::bigint << 44) + pg_snapshot_xmax($4::text::pg_snapshot)::text::bigint as beyond,
        (select max(occurred_at) from event where app_number = $1) as newest,
        exists (select 1 from link where app_number = $1) as has_links
),
news as not materialized (
    select
        type, occurred_at, event_id, channel, deferred, clicked_at, test_traffic, post_id, story_key, outcome, click_id
    from event
    where app_number = $1
        and transaction_number >= $2
        and (
            transaction_number >= (select beyond from look)
            or transaction_number >> 44 <> $3
            or not pg_visible_in_snapshot(
                (transaction_number & ((1::bigint << 44) - 1))::text::xid8,
                (select snapshot from look)
            )
        )
),
news_by_hour as materialized (
    select
        type,
        channel is not null as is_touch,
        (deferred or type = 'install') is not false as is_deferred,
        date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00:00Z') as occurred_at,
        case
            when (deferred or type = 'install') is not false
                then date_bin('1 hour', clicked_at, timestamptz '2000-01-01 00:00:00Z')
        end as clicked_at,
        -- It may be a click on a short link, or an open that names one, or tells of the tap that such an open tells of.
        channel is not null and (click_id is not null or clicked_at is not null) as may_join
    from news
    where test_traffic is not true
    group by 1, 2, 3, 4, 5, 6
),
-- The new events of which more must be known.
post_or_install as materialized (
    select event_id, type, occurred_at, test_traffic, post_id, story_key, outcome
    from news
    where type in ('feed_post', 'install')
),
-- A link carries the number of the transaction that made or changed it.
changed_device as materialized (
    select device_id, occurred_at
    from device_link
    where app_number = $1
        and transaction_number >= $2
        and (
            transaction_number >= (select beyond from look)
            or transaction_number >> 44 <> $3
            or not pg_visible_in_snapshot(
                (transaction_number & ((1::bigint << 44) - 1))::text::xid8,
                (select snapshot from look)
            )
        )
),
-- `lateral … offset 0` makes the planner look up each key by the index, even if the tables have not been analyzed yet.
-- The refresher turns other nested loops off.
changed_click as materialized (
    -- Events from this time on may have linked it before: any, if an install links it now.
    select click_id, case precedence when 0 then '-infinity' else occurred_at end as since
    from click_link
    where app_number = $1
        and transaction_number >= $2
        and (
            transaction_number >= (select beyond from look)
            or transaction_number >> 44 <> $3
            or not pg_visible_in_snapshot(
                (transaction_number & ((1::bigint << 44) - 1))::text::xid8,
                (select snapshot from look)
            )
        )
    union
    select link.click_id, link.since
    from changed_device
    cross join lateral (
        select click_id, case precedence when 0 then '-infinity' else occurred_at end as since
        from click_link
        where app_number = $1
            and user_id is null
            and device_id = changed_device.device_id
        offset 0
    ) as link
),
-- The events whose owner may have changed.
moved as materialized (
    select moved.*, changed_device.device_id, null as click_id
    from changed_device
    cross join lateral (
        select event_id, type, occurred_at, channel, deferred, clicked_at, test_traffic,
            click_id is not null or clicked_at is not null as may_join
        from event
        where app_number = $1
            and user_id is null
            and device_id is not null
            and device_id = changed_device.device_id
        offset 0
    ) as moved
    union all
    select moved.*, null, changed_click.click_id
    from changed_click
    cross join lateral (
        select event_id, type, occurred_at, channel, deferred, clicked_at, test_traffic, true as may_join
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
    from post_or_install
    where type = 'feed_post'
        and story_key is not null
        and is_story_post(outcome)
    group by story_key
),
joined as (
    select touch.*
    from (select post_id from post_or_install where type = 'feed_post' and post_id is not null) as post
    cross join lateral (
        select type, occurred_at, deferred, clicked_at, test_traffic,
            click_id is not null or clicked_at is not null as may_join
        from event
        where app_number = $1
            and channel is not null
            and post_id is not null
            and post_id = post.post_id
        offset 0
    ) as touch
    union all
    select
        event.type, event.occurred_at, event.deferred, event.clicked_at, event.test_traffic,
        event.click_id is not null or event.clicked_at is not null
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
-- An install of the last three days may change all later installs. Their people are not looked up, because hardly any
-- of these days has no new event anyway. For older installs they are.
recent_install as (
    select
        min(install.occurred_at) as low,
        max(look.newest) as high
    from (
        select occurred_at
        from news_by_hour
        where type = 'install'
        union all
        select occurred_at
        from moved
        where type = 'install' and test_traffic is not true
    ) as install
    cross join look
    where install.occurred_at >= look.newest - interval '3 days'
    having count(*) > 0
),
old_moved_install as materialized (
    select event_id, occurred_at, device_id, click_id
    from moved
    where type = 'install'
        and test_traffic is not true
        and occurred_at < (select newest - interval '3 days' from look)
),
-- The new installs of the last days were compared by their hour, so this range is an hour longer.
old_install as materialized (
    select event_id, occurred_at
    from post_or_install
    where type = 'install'
        and test_traffic is not true
        and occurred_at < (select newest - interval '3 days' + interval '1 hour' from look)
    union
    select event_id, occurred_at
    from old_moved_install
),
-- The present and former owners of the moved installs. A device that has an owner has no events of its own. Its former
-- owner was that of a later event.
former_click as materialized (
    select event.user_id, event.device_id
    from changed_click
    join event
        on event.app_number = $1
        and event.click_id = changed_click.click_id
        and (event.user_id is not null or event.device_id is not null)
        and event.occurred_at >= changed_click.since
    where changed_click.click_id in (select click_id from old_moved_install)
        and event.occurred_at >= (
            select min(since)
            from changed_click
            where click_id in (select click_id from old_moved_install)
        )
),
old_device as materialized (
    select device_id, occurred_at
    from changed_device
    where device_id in (
            select device_id
            from old_moved_install
            union all
            select device_id
            from former_click
            union all
            select link.device_id
            from old_moved_install
            cross join lateral (
                select device_id
                from click_link
                where app_number = $1
                    and click_id = old_moved_install.click_id
                offset 0
            ) as link
        )
),
former_device as (
    select event.user_id
    from old_device
    join event
        on event.app_number = $1
        and event.device_id = old_device.device_id
        and event.user_id is not null
        and event.occurred_at >= old_device.occurred_at
    where event.occurred_at >= (select min(occurred_at) from old_device)
),
-- All installs that may belong to those people. They may count now, or no longer count.
later_install as materialized (
    select
        event.event_id,
        event.occurred_at,
        event_person(
            event.user_id,
            device.user_id,
            event.device_id,
            click_owner(click.user_id, click_device.user_id, click.device_id),
            event.click_id
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
        and event.occurred_at >= (select min(occurred_at) from old_install)
),
suspect as (
    select later_install.person
    from old_install
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
    select is_deferred, occurred_at, clicked_at, may_join, type
    from news_by_hour
    where is_touch
    union all
    select (deferred or type = 'install') is not false, occurred_at, clicked_at, may_join, type
    from moved
    where channel is not null and test_traffic is not true
    union all
    select (deferred or type = 'install') is not false, occurred_at, clicked_at, may_join, type
    from joined
    where test_traffic is not true
),
changed as (
    select
        'touch' as kind,
        case
            when not is_deferred then occurred_at
            when clicked_at is null then occurred_at - interval '24 hours'
            else least(clicked_at, occurred_at)
        end as low,
        case when is_deferred and clicked_at is not null then least(clicked_at, newest) else occurred_at end as high
    from touch
    cross join look
    union all
    -- A click changes the touches of its opens, which may have come before; a deferred one counts up to 24 hours before
    -- its arrival. An open changes the touch at its click. Times may have been cut to the hour.
    select
        'touch',
        case when is_click then time - interval '25 hours' else time - interval '7 days' end,
        case when is_click then greatest(time, least(time + interval '169 hours', newest)) else time + interval '2 hours' end
    from (
        select
            type = 'link_click' as is_click,
            case when is_deferred then least(clicked_at, occurred_at) else occurred_at end as time
        from touch
        where may_join
    ) as joining
    cross join look
    where has_links
    union all
    select type::text, occurred_at, occurred_at
    from news_by_hour
    where type not in ('inbound_link', 'link_click')
    union all
    select type::text, occurred_at, occurred_at
    from moved
    where type not in ('inbound_link', 'link_click') and test_traffic is not true
    union all
    select 'install', low, high
    from recent_install
    union all
    select 'install', occurred_at, occurred_at
    from later_install
    where person in (select person from suspect)
)
select distinct kind, date_trunc('hour', low, 'UTC') as low, date_trunc('hour', high, 'UTC') as high
from changed
