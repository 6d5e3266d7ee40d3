-- What an answer says of the touches that are credited (docs/attributions.md). The post of a touch is that of the story
-- join, as in `timelines.sql`.
--
-- $1 the app, $2 the times of the touches' events, $3 their ids, $4 and $5 the first and the last of these times. Each
-- is looked up: as a join, the planner may compare every event of these times with every id. $6 how many characters of
-- a target are wanted; null: all.
select
    touch.event_id,
    coalesce(nullif(touch.refs, '{}'), post.refs, '{}') as refs,
    case
        when length(touch.target_url) > $6::bigint then left(touch.target_url, ($6::bigint)::integer) || '…'
        else touch.target_url
    end as target_url,
    coalesce(touch.post_id, post.post_id) as post_id,
    coalesce(
        post.user_id,
        (
            select device.user_id
            from device_link as device
            where device.app_number = $1
                and device.device_id = post.device_id
        )
    ) as poster_user_id,
    post.device_id as poster_device_id,
    touch.short_link,
    -- Whose the post is.
    event_person(
        post.user_id,
        (
            select device.user_id
            from device_link as device
            where device.app_number = $1
                and device.device_id = post.device_id
        ),
        post.device_id,
        (
            select click_owner(click.user_id, device.user_id, click.device_id)
            from click_link as click
            left join device_link as device
                on device.app_number = $1
                and device.device_id = click.device_id
            where post.user_id is null
                and post.device_id is null
                and click.app_number = $1
                and click.click_id = post.click_id
        ),
        post.click_id
    ) as poster
from (
    -- Citus cannot send `unnest` of several arrays from a subquery.
    select
        unnest($2::text[]::timestamptz[]) as occurred_at,
        unnest($3::text[]::uuid[]) as event_id
) as credited
cross join lateral (
    select *
    from event
    where app_number = $1
        and occurred_at between $4 and $5
        and occurred_at = credited.occurred_at
        and event_id = credited.event_id
    offset 0
) as touch
left join lateral (
    (
        select named.refs, named.post_id, named.user_id, named.device_id, named.click_id
        from event as named
        where touch.post_id is not null
            and named.app_number = $1
            and named.type = 'feed_post'
            and named.post_id is not null
            and named.post_id = touch.post_id
        limit 1
    )
    union all
    (
        select told.refs, told.post_id, told.user_id, told.device_id, told.click_id
        from event as told
        where touch.post_id is null
            and touch.refs = '{}'
            and told.app_number = $1
            and told.type = 'feed_post'
            and is_story_post(told.outcome)
            and told.story_key is not null
            and told.story_key = touch.story_key
            and told.occurred_at <= touch.occurred_at
        order by told.occurred_at desc, told.event_id desc
        limit 1
    )
) as post on true
