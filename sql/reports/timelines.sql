-- The events of one app that a report needs, person by person: CONTRACT.md sections 3 and 4.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings of the transaction:
--   tributary.app_number
--   tributary.types           array of event types
--   tributary.touches_from    touches from here on
--   tributary.events_from     everything else from here on; installs, if wanted at all, from the beginning
--   tributary.through         all of it up to here, included
--   tributary.needs_refs, tributary.needs_referers, tributary.needs_targets    whether the report reads them
--
-- A deferred link counts at the time of the tap, which is its clicked_at or lies in the 24 hours before it.
with scanned as (
    -- What lies in the range by its own time.
    select event.*
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and occurred_at >= current_setting('tributary.touches_from')::timestamptz
        and occurred_at <= current_setting('tributary.through')::timestamptz
        and type = any (current_setting('tributary.types')::event_type[])
        and (
            occurred_at >= current_setting('tributary.events_from')::timestamptz
            or type in ('inbound_link', 'link_click', 'install')
        )
        and test_traffic is not true
    union all
    -- Installs before the range, which decide whether later ones count, and links that were tapped in it.
    select event.*
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and occurred_at < current_setting('tributary.touches_from')::timestamptz
        and type = any (current_setting('tributary.types')::event_type[])
        and (type = 'install' or deferred)
        and (
            type = 'install'
            or clicked_at between current_setting('tributary.touches_from')::timestamptz
                and current_setting('tributary.through')::timestamptz
        )
        and test_traffic is not true
    union all
    -- Links after the range that were tapped in it.
    select event.*
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and occurred_at > current_setting('tributary.through')::timestamptz
        and type = any (current_setting('tributary.types')::event_type[])
        and (type = 'install' or deferred)
        and case
            when clicked_at is not null then
                clicked_at between current_setting('tributary.touches_from')::timestamptz
                    and current_setting('tributary.through')::timestamptz
            else occurred_at <= current_setting('tributary.through')::timestamptz + interval '24 hours'
        end
        and test_traffic is not true
),
-- Links that some post was posted with. Most links without a ref come from nowhere: they are not looked up.
story as (
    select distinct story_key
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and type = 'feed_post'
        and outcome in ('posted', 'unconfirmed')
        and story_key is not null
        and occurred_at <= current_setting('tributary.through')::timestamptz + interval '24 hours'
        and current_setting('tributary.needs_refs')::boolean
)
select
    person.person,
    scanned.type,
    scanned.occurred_at,
    scanned.event_id,
    scanned.platform,
    scanned.channel,
    scanned.authenticated,
    scanned.deferred,
    scanned.clicked_at,
    case
        when not current_setting('tributary.needs_refs')::boolean then null
        when scanned.refs <> '{}' then scanned.refs
        when scanned.channel is null then null
        when scanned.post_id is not null then post_by_id.refs
        else post_by_story.refs
    end as refs,
    case when current_setting('tributary.needs_referers')::boolean then scanned.referer_app end as referer_app,
    case when current_setting('tributary.needs_targets')::boolean then scanned.target_url end as target_url,
    scanned.outcome,
    scanned.composer,
    scanned.goal,
    scanned.value,
    scanned.currency
from scanned
-- The device's user; the click's user; the user of the click's device.
left join device_link as device
    on scanned.user_id is null
    and device.app_number = current_setting('tributary.app_number')::integer
    and device.device_id = scanned.device_id
left join click_link as click
    on scanned.user_id is null
    and scanned.device_id is null
    and click.app_number = current_setting('tributary.app_number')::integer
    and click.click_id = scanned.click_id
left join device_link as click_device
    on click.user_id is null
    and click_device.app_number = current_setting('tributary.app_number')::integer
    and click_device.device_id = click.device_id
cross join lateral (
    select coalesce(
        'u' || scanned.user_id,
        'u' || device.user_id,
        'd' || scanned.device_id,
        'u' || click.user_id,
        'u' || click_device.user_id,
        'd' || click.device_id,
        'c' || scanned.click_id
    ) as person
) as person
-- The story join (DOMAIN.md section 3), for touches without a ref.
left join lateral (
    select post.refs
    from event as post
    where post.app_number = current_setting('tributary.app_number')::integer
        and post.type = 'feed_post'
        and post.post_id is not null
        and post.post_id = scanned.post_id
        and current_setting('tributary.needs_refs')::boolean
        and scanned.channel is not null
        and scanned.refs = '{}'
    limit 1
) as post_by_id on true
left join story on scanned.channel is not null
    and scanned.refs = '{}'
    and scanned.post_id is null
    and story.story_key = scanned.story_key
left join lateral (
    select post.refs
    from event as post
    where post.app_number = current_setting('tributary.app_number')::integer
        and post.type = 'feed_post'
        and post.outcome in ('posted', 'unconfirmed')
        and post.story_key is not null
        and post.story_key = story.story_key
        and post.occurred_at <= scanned.occurred_at
        and story.story_key is not null
    order by post.occurred_at desc, post.event_id desc
    limit 1
) as post_by_story on true
-- By hash: an integer sorts faster than a text, and people can be shared out by it.
order by hashtextextended(person.person, 0), person.person
