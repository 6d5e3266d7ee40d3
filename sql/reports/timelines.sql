-- The events of one app that a report needs, person by person: docs/events.md, *People*, and docs/reports.md.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.types           array of event types
--   tributary.touches_from    touches from this time on
--   tributary.events_from     other events from this time on; installs, if their type is wanted, from the beginning
--   tributary.through         the end of both ranges, inclusive
--   tributary.needs_refs, tributary.needs_ref_origins, tributary.needs_referers, tributary.needs_targets,
--   tributary.needs_links, tributary.needs_forms, tributary.needs_app_versions, tributary.needs_countries,
--   tributary.needs_languages, tributary.needs_goals    whether the report reads them
--   tributary.needs_properties     whether it reads declared properties: those named in
--   tributary.person_properties, tributary.touch_properties, tributary.conversion_properties    arrays
--   tributary.needs_story_posts    whether the report reads which post a touch came from
--   tributary.needs_story_keys     whether to return, in its place, the story's key as packed timelines keep it
--
-- A deferred link counts at the time of the tap: its clicked_at, or some time in the 24 hours before the event. A
-- clicked_at after the event counts at the event.
with scanned as not materialized (
    -- Events whose own time is in the range.
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
    -- Installs before the range, which decide whether later ones count, and earlier links whose tap is said to be
    -- later: the same tap may be told again in the range.
    select event.*
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and occurred_at < current_setting('tributary.touches_from')::timestamptz
        and type = any (current_setting('tributary.types')::event_type[])
        and (type = 'install' or deferred)
        and (
            type = 'install'
            or clicked_at >= current_setting('tributary.touches_from')::timestamptz
        )
        and test_traffic is not true
    union all
    -- Links after the range that were, or may have been, tapped in it.
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
-- The story join (docs/links.md, *The story join*), for touches without a ref of their own. Posts and touches are
-- sorted together. So a link that was posted a million times takes no longer than a million links.
post as not materialized (
    select story_key, post_id, occurred_at, event_id, refs, outcome
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and type = 'feed_post'
        and (
            current_setting('tributary.needs_refs')::boolean
            or current_setting('tributary.needs_story_posts')::boolean
        )
),
story_post as not materialized (
    select story_key, occurred_at, event_id, refs
    from post
    where story_key is not null
        and is_story_post(outcome)
),
told as (
    select story_key, occurred_at, false as is_touch, event_id, refs
    from story_post
    union all
    select story_key, occurred_at, true, event_id, null
    from scanned
    where channel is not null
        and refs = '{}'
        and post_id is null
        and story_key in (select story_key from story_post)
),
numbered as (
    select
        *,
        count(*) filter (where not is_touch) over (
            partition by story_key
            order by occurred_at, is_touch, event_id
            rows unbounded preceding
        ) as post_number
    from told
),
-- A touch came from the last post before it, and takes its refs. Touches before the first post came from none.
joined as (
    select
        is_touch,
        event_id,
        first_value(refs) over post_and_touches as refs,
        first_value(event_id) over post_and_touches as post_event_id,
        first_value(occurred_at) over post_and_touches as post_occurred_at
    from numbered
    where post_number > 0
    window post_and_touches as (
        partition by story_key, post_number
        order by is_touch
    )
),
resolved as (
    select
        scanned.*,
        event_person(
            scanned.user_id,
            device.user_id,
            scanned.device_id,
            click_owner(click.user_id, click_device.user_id, click.device_id),
            scanned.click_id
        ) as person
    from scanned
    --include owner_joins event=scanned
)
select
    resolved.person,
    --include event_identity
    case
        when current_setting('tributary.needs_refs')::boolean
            then coalesce(nullif(resolved.refs, '{}'), post_by_id.refs, joined.refs)
    end as refs,
    --include event_facts
    case
        when current_setting('tributary.needs_story_posts')::boolean
            then coalesce(post_by_id.event_id, joined.post_event_id)
        when not current_setting('tributary.needs_story_keys')::boolean or resolved.channel is null then null
        -- Beside refs of its own, the last bit is inverted.
        when resolved.post_id is not null and resolved.refs <> '{}'
            then overlay(
                story_of_post(resolved.post_id)::text
                placing translate(
                    right(story_of_post(resolved.post_id)::text, 1),
                    '0123456789abcdef',
                    '1032547698badcfe'
                )
                from 36
            )::uuid
        when resolved.post_id is not null then story_of_post(resolved.post_id)
        when resolved.refs = '{}' then resolved.story_key
    end as story_post_id,
    case
        when current_setting('tributary.needs_story_posts')::boolean
            then coalesce(post_by_id.occurred_at, joined.post_occurred_at)
        when current_setting('tributary.needs_story_keys')::boolean then resolved.occurred_at
    end as story_posted_at
from resolved
left join post as post_by_id
    on resolved.channel is not null
    and (
        resolved.refs = '{}'
        or current_setting('tributary.needs_story_posts')::boolean
    )
    and post_by_id.post_id = resolved.post_id
left join joined
    on joined.is_touch
    and joined.event_id = resolved.event_id
-- Sorted by hash: an integer sorts faster than a text, and people can be divided by it.
order by hashtextextended(resolved.person, 0), resolved.person
