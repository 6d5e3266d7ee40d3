-- The events of one app that some transactions stored, with their people, in no order: the delta, for a report or for
-- packing.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`): those of `timelines.sql`, and
--   tributary.stored_from, tributary.stored_before        the range of transactions: from inclusive, before exclusive
--   tributary.occurred_from, tributary.occurred_before    only one month's partition
--   tributary.first_share, tributary.last_share    only events whose devices' hashes are in these of 1,024 shares
--   tributary.needs_stories    whether to return the story that a touch came from or may have come from
--   tributary.finds_users    whether to look up the users of devices; if not, such events are the devices' own
--
-- Posts are looked up for each event, which suits a small part of all events. Links are looked up or joined by hash
-- (`ScanPlanning`).
select
    hashtextextended(resolved.person, 0) as person_hash,
    resolved.person,
    case when resolved.key <> resolved.person then hashtextextended(resolved.key, 0) end as key_hash,
    case when resolved.key <> resolved.person then resolved.key end as key,
    --include event_identity
    case
        when not current_setting('tributary.needs_refs')::boolean then null
        when resolved.channel is null or resolved.refs <> '{}' then resolved.refs
        when resolved.post_id is not null then (
            select post.refs
            from event as post
            where post.app_number = current_setting('tributary.app_number')::integer
                and post.type = 'feed_post'
                and post.post_id is not null
                and post.post_id = resolved.post_id
            limit 1
        )
        when resolved.story_key is not null then (
            select post.refs
            from event as post
            where post.app_number = current_setting('tributary.app_number')::integer
                and post.type = 'feed_post'
                and is_story_post(post.outcome)
                and post.story_key is not null
                and post.story_key = resolved.story_key
                and post.occurred_at <= resolved.occurred_at
            order by post.occurred_at desc, post.event_id desc
            limit 1
        )
    end as refs,
    --include event_facts
    case
        when not current_setting('tributary.needs_stories')::boolean then null
        when resolved.channel is null then null
        when resolved.post_id is not null then story_of_post(resolved.post_id)
        when resolved.refs <> '{}' then null
        else resolved.story_key
    end as story,
    resolved.post_id is not null as has_post_id,
    resolved.channel is not null and resolved.refs <> '{}' as has_own_refs
from (
    select
        event.*,
        event_owner(event.user_id, event.device_id, event.click_id) as key,
        -- Subqueries, because joins would read the links of every event, needed or not. An app where nobody logs in has
        -- no links of devices.
        event_person(
            event.user_id,
            case
                when current_setting('tributary.finds_users')::boolean
                    and exists (
                        select
                        from device_link
                        where app_number = current_setting('tributary.app_number')::integer
                    )
                    then (
                        select device.user_id
                        from device_link as device
                        where device.app_number = current_setting('tributary.app_number')::integer
                            and device.device_id = event.device_id
                    )
            end,
            event.device_id,
            (
                select click_owner(
                    click.user_id,
                    (
                        select device.user_id
                        from device_link as device
                        where device.app_number = current_setting('tributary.app_number')::integer
                            and device.device_id = click.device_id
                    ),
                    click.device_id
                )
                from click_link as click
                where click.app_number = current_setting('tributary.app_number')::integer
                    and click.click_id = event.click_id
            ),
            event.click_id
        ) as person
    from event
    where event.transaction_number >= current_setting('tributary.stored_from')::bigint
        and event.transaction_number < current_setting('tributary.stored_before')::bigint
        -- Only a single month is read by the index by app and time. `+ 0` keeps the planner from using that index for a
        -- delta: it has no statistics on the newest events, and would read all events of the app one by one.
        and event.app_number + 0 = current_setting('tributary.app_number')::integer
        --citus and event.app_number = current_setting('tributary.app_number')::integer
        and (
            current_setting('tributary.occurred_from')::timestamptz = '-infinity'
            or event.app_number = current_setting('tributary.app_number')::integer
            and event.occurred_at >= current_setting('tributary.occurred_from')::timestamptz
            and event.occurred_at < current_setting('tributary.occurred_before')::timestamptz
        )
        and type = any (current_setting('tributary.types')::event_type[])
        and test_traffic is not true
        and hashtext(coalesce(event.device_id, event.event_id::text)) & 1023
            between current_setting('tributary.first_share')::integer
            and current_setting('tributary.last_share')::integer
        and case
            -- Installs before the range decide whether later ones count.
            when type = 'install' then true
            when event.occurred_at between current_setting('tributary.touches_from')::timestamptz
                and current_setting('tributary.through')::timestamptz
                then event.occurred_at >= current_setting('tributary.events_from')::timestamptz
                    or type in ('inbound_link', 'link_click')
            -- Deferred links outside the range may have been tapped in it.
            else deferred
        end
    -- With "offset 0", the person is looked up once for each event, and not at each place above that uses it.
    offset 0
) as resolved
