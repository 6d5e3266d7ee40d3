-- Marks the events of a webhook that may be concerned by what was stored from its position on, up to where it will be
-- afterwards. It may mark too many, never too few. $1 the app, $2 the webhook, $3 its position, $4 where it will be.
--
-- An event has the keys of its person: the person, and all devices and clicks whose events are the person's. Whatever
-- is stored later carries one of them, or changes the owner of one, or is a post that touches of theirs wait for. If
-- they are many, the event has the person alone, and the others are in `webhook_person_key`.
-- `lateral … offset 0` makes the planner look up each key; `+ 0` and `|| ''` in the index by key. Of a webhook that
-- statistics do not know yet, it expects one event: with the index by webhook it would read all of them for each key.
--
-- After history was read again (`tributary reread`), every event is marked, once.
with fresh as materialized (
    select event_id, type, occurred_at, user_id, device_id, click_id, story_key, post_id, outcome
    from event
    where app_number = $1
        and transaction_number >= $3
        and transaction_number < $4
),
fresh_story as materialized (
    select story_key, min(occurred_at) as since
    from fresh
    where type = 'feed_post'
        and story_key is not null
        and is_story_post(outcome)
    group by story_key
),
-- The touches that new posts give refs and a poster.
retold as (
    select event.user_id, event.device_id, event.click_id
    from fresh_story
    join event using (story_key)
    where event.app_number = $1
        and event.channel is not null
        and event.refs = '{}'
        and event.occurred_at >= fresh_story.since
        and event.occurred_at >= (select min(since) from fresh_story)
    union all
    select touch.user_id, touch.device_id, touch.click_id
    from fresh
    cross join lateral (
        select user_id, device_id, click_id
        from event
        where app_number = $1
            and channel is not null
            and post_id is not null
            and post_id = fresh.post_id
        offset 0
    ) as touch
    where fresh.type = 'feed_post'
        and fresh.post_id is not null
),
changed_device as materialized (
    select device_id, user_id
    from device_link
    where app_number = $1
        and transaction_number >= $3
        and transaction_number < $4
),
changed_click as materialized (
    select click_id, user_id, device_id
    from click_link
    where app_number = $1
        and transaction_number >= $3
        and transaction_number < $4
),
key as materialized (
    select event_owner(user_id, device_id, click_id) as key from fresh
    union
    select event_owner(user_id, device_id, click_id) from retold
    union
    select unnest(array['d' || device_id, 'u' || user_id]) from changed_device
    union
    select unnest(array['c' || click_id, 'u' || user_id, 'd' || device_id]) from changed_click
    union
    -- A click belongs to the user of its device.
    select 'u' || link.user_id
    from changed_click
    cross join lateral (
        select user_id
        from device_link
        where app_number = $1
            and device_id = changed_click.device_id
        offset 0
    ) as link
    where changed_click.user_id is null
    union
    select 'c' || link.click_id
    from changed_device
    cross join lateral (
        select click_id
        from click_link
        where app_number = $1
            and user_id is null
            and device_id = changed_device.device_id
        offset 0
    ) as link
),
concerned_key as materialized (
    select key from key
    union
    select owner.person
    from key
    cross join lateral (
        select person
        from webhook_person_key
        where app_number = $1
            and webhook_id = $2
            and key = key.key
        offset 0
    ) as owner
)
update webhook_event
set is_stale = true,
    marked_at = now()
where app_number = $1
    and webhook_id = $2
    and event_id in (
        select concerned.event_id
        from concerned_key
        cross join lateral (
            select event_id
            from webhook_event
            where keys @> array[concerned_key.key]
                and app_number + 0 = $1
                --citus and app_number = $1
                and webhook_id || '' = $2
                and not is_settled
                and not is_stale
            offset 0
        ) as concerned
        where concerned_key.key is not null
        union all
        select event_id
        from webhook_event
        where app_number = $1
            and webhook_id = $2
            and not is_settled
            and not is_stale
            and (
                select exists (
                    select 1
                    from reread
                    where app_number = $1
                        and finished_at is not null
                        and last_transaction >= $3
                        and last_transaction < $4
                )
            )
    )
