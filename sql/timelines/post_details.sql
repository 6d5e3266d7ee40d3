-- The posts of one app that touches may have come from, with what is known of each, in no order (docs/reports.md,
-- *viral* and *breakdown*). A post that has neither an id nor a link brings no touch, and only its poster is asked for,
-- if it was posted.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.needs_posters    whether the report reads the person who posted
--
-- If the report does not read the poster, no link is read. One condition, not a union: posts lie everywhere between
-- other events, so reading them by an index for each part would read nearly every page several times.
with asked_device_link as not materialized (
    select device_id, user_id
    from device_link
    where app_number = current_setting('tributary.app_number')::integer
        and current_setting('tributary.needs_posters')::boolean
),
asked_click_link as not materialized (
    select click_id, device_id, user_id
    from click_link
    where app_number = current_setting('tributary.app_number')::integer
        and current_setting('tributary.needs_posters')::boolean
)
select
    post.event_id,
    case
        when current_setting('tributary.needs_posters')::boolean then event_person(
            post.user_id,
            device.user_id,
            post.device_id,
            click_owner(click.user_id, click_device.user_id, click.device_id),
            post.click_id
        )
    end as poster,
    post.action_type,
    post.object_id,
    post.refs,
    post.platform,
    post.composer
from event as post
left join asked_device_link as device
    on device.device_id = case when post.user_id is null then post.device_id end
left join asked_click_link as click
    on click.click_id = case when post.user_id is null and post.device_id is null then post.click_id end
left join asked_device_link as click_device
    on click_device.device_id = case when click.user_id is null then click.device_id end
where post.app_number = current_setting('tributary.app_number')::integer
    and post.type = 'feed_post'
    and (
        post.post_id is not null
        or is_story_post(post.outcome) and post.story_key is not null
        or post.outcome = 'posted' and current_setting('tributary.needs_posters')::boolean
    )
