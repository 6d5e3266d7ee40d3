-- The posts of one app that touches may have come from, with the person who posted and what an Open Graph story says,
-- in no order (docs/reports.md, *breakdown*). A post that has neither an id nor a link brings no touch.
--
-- Runs inside COPY, which takes no $n, so its parameter is a setting (`BoundStatement`): tributary.app_number
--
-- The person is found as in `timelines.sql`.
select
    post.event_id,
    coalesce(
        'u' || post.user_id,
        'u' || device.user_id,
        'd' || post.device_id,
        'u' || click.user_id,
        'u' || click_device.user_id,
        'd' || click.device_id,
        'c' || post.click_id
    ) as poster,
    post.action_type,
    post.object_id
from (
    select *
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and type = 'feed_post'
        and post_id is not null
    union all
    select *
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and type = 'feed_post'
        and outcome in ('posted', 'unconfirmed')
        and story_key is not null
        and post_id is null
) as post
left join device_link as device
    on device.app_number = current_setting('tributary.app_number')::integer
    and device.device_id = case when post.user_id is null then post.device_id end
left join click_link as click
    on click.app_number = current_setting('tributary.app_number')::integer
    and click.click_id = case when post.user_id is null and post.device_id is null then post.click_id end
left join device_link as click_device
    on click_device.app_number = current_setting('tributary.app_number')::integer
    and click_device.device_id = case when click.user_id is null then click.device_id end
