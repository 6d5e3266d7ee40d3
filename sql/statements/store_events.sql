-- Stores the staged events once each, with what is derived from them, and returns the ordinals of those that were not
-- stored, with the reason: `duplicate`, `erased` or `deleted_app`. Whoever inserts the key stores the event; keys go in in
-- their own order, so that two writers with the same keys wait for one another instead of for each other.
--
-- An event of a person who was erased after its receipt is dropped, and its key is kept, so that no retry brings it back.
-- Where nothing was erased since, that costs a comparison of times.
with fresh as (
    insert into event_key (app_number, event_id, received_at)
    select app_number, event_id, received_at
    from stage
    where app_number <> all (array(select app_number from deleted_app))
    order by app_number, event_id
    on conflict do nothing
    returning app_number, event_id
),
fresh_posts as (
    insert into feed_post_key (app_number, post_id, event_id)
    select distinct on (app_number, post_id) app_number, post_id, event_id
    from stage
    join fresh using (app_number, event_id)
    where type = 'feed_post'
        and post_id is not null
        and not (
            received_at < (select coalesce(max(erased_at), '-infinity') from erasure)
            and is_erased(app_number, user_id, device_id, click_id, received_at)
        )
    order by app_number, post_id, ordinal
    on conflict do nothing
    returning app_number, event_id
),
stored as (
    insert into event (
        app_number, event_id, type, occurred_at, received_at, user_id, device_id, click_id, platform,
        channel, channel_rule, link_form, refs, target_url, referer_app, referer_url, authenticated, deferred, paid,
        test_traffic, clicked_at, link_details, url, post_id, story_key,
        outcome, composer, post_link, action_type, object_id, error_code, error_message,
        limit_ad_tracking, goal, value, currency, properties, transaction_number
    )
    select
        app_number, event_id, type, occurred_at, received_at, user_id, device_id, click_id, platform,
        channel, channel_rule, link_form, refs, target_url, referer_app, referer_url, authenticated, deferred, paid,
        test_traffic, clicked_at, link_details, url, post_id, story_key,
        outcome, composer, post_link, action_type, object_id, error_code, error_message,
        limit_ad_tracking, goal, value, currency, properties,
        (select current_transaction_number())
    from stage
    join fresh using (app_number, event_id)
    where (
            type <> 'feed_post'
            or post_id is null
            or exists (
                select
                from fresh_posts
                where fresh_posts.app_number = stage.app_number
                    and fresh_posts.event_id = stage.event_id
            )
        )
        and not (
            received_at < (select coalesce(max(erased_at), '-infinity') from erasure)
            and is_erased(app_number, user_id, device_id, click_id, received_at)
        )
    returning app_number, event_id, occurred_at, user_id, device_id, click_id
),
-- A device stands for the user of the earliest event that carries both. The earliest known is looked up first, because
-- "on conflict do update" writes a row version even where its condition fails.
devices as (
    insert into device_link as known (app_number, device_id, user_id, occurred_at, event_id)
    select distinct on (app_number, device_id) app_number, device_id, user_id, occurred_at, event_id
    from stored
    where user_id is not null
        and device_id is not null
        and not exists (
            select
            from device_link as earlier
            where earlier.app_number = stored.app_number
                and earlier.device_id = stored.device_id
                and (earlier.occurred_at, earlier.event_id) <= (stored.occurred_at, stored.event_id)
        )
    order by app_number, device_id, occurred_at, event_id
    on conflict (app_number, device_id) do update
        set user_id = excluded.user_id, occurred_at = excluded.occurred_at, event_id = excluded.event_id
        where (excluded.occurred_at, excluded.event_id) < (known.occurred_at, known.event_id)
),
-- A click likewise stands for the user or, where the event names none, the device.
clicks as (
    insert into click_link as known (app_number, click_id, user_id, device_id, occurred_at, event_id)
    select distinct on (app_number, click_id)
        app_number,
        click_id,
        user_id,
        case when user_id is null then device_id end,
        occurred_at,
        event_id
    from stored
    where click_id is not null
        and (user_id is not null or device_id is not null)
        and not exists (
            select
            from click_link as earlier
            where earlier.app_number = stored.app_number
                and earlier.click_id = stored.click_id
                and (earlier.occurred_at, earlier.event_id) <= (stored.occurred_at, stored.event_id)
        )
    order by app_number, click_id, occurred_at, event_id
    on conflict (app_number, click_id) do update
        set user_id = excluded.user_id,
            device_id = excluded.device_id,
            occurred_at = excluded.occurred_at,
            event_id = excluded.event_id
        where (excluded.occurred_at, excluded.event_id) < (known.occurred_at, known.event_id)
)
select
    ordinal,
    case
        when app_number = any (array(select app_number from deleted_app)) then 'deleted_app'
        when exists (select from fresh where fresh.app_number = stage.app_number and fresh.event_id = stage.event_id)
            and received_at < (select coalesce(max(erased_at), '-infinity') from erasure)
            and is_erased(app_number, user_id, device_id, click_id, received_at)
            then 'erased'
        else 'duplicate'
    end as reason
from stage
where not exists (
    select
    from stored
    where stored.app_number = stage.app_number
        and stored.event_id = stage.event_id
)
