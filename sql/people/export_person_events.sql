-- The events of a person in a range of time, as JSON.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.from, tributary.to    the range: from inclusive, to exclusive
--   tributary.users, tributary.devices, tributary.clicks    the person's keys, as arrays
--
-- Nulls are left out. `properties` and `link_details` are appended afterwards, because they may contain nulls.
select
    left(json_strip_nulls(row_to_json(told))::text, -1)
        || coalesce(',"link_details":' || link_details::text, '')
        || coalesce(',"properties":' || properties::text, '')
        || '}'
from event
cross join lateral (
    select
        'event' as record,
        event.event_id,
        event.type,
        event.occurred_at,
        event.received_at,
        event.user_id,
        event.device_id,
        event.click_id,
        event.platform,
        event.channel,
        event.channel_rule,
        event.link_form,
        event.refs,
        event.target_url,
        event.referer_app,
        event.referer_url,
        event.authenticated,
        event.deferred,
        event.paid,
        event.test_traffic,
        event.clicked_at,
        event.url,
        event.post_id,
        event.story_key,
        event.outcome,
        event.composer,
        event.post_link,
        event.action_type,
        event.object_id,
        event.error_code,
        event.error_message,
        event.limit_ad_tracking,
        event.install_referrer,
        event.goal,
        event.value,
        event.currency,
        case when event.type = 'authentication' then coalesce(event.login_outcome, 'granted') end as login_outcome,
        event.short_link
) as told
where event.app_number = current_setting('tributary.app_number')::integer
    and event.occurred_at >= current_setting('tributary.from')::timestamptz
    and event.occurred_at < current_setting('tributary.to')::timestamptz
    and (
        event.user_id = any (current_setting('tributary.users')::text[])
        or (
            event.user_id is null
            and event.device_id = any (current_setting('tributary.devices')::text[])
        )
        or (
            event.user_id is null
            and event.device_id is null
            and event.click_id = any (current_setting('tributary.clicks')::text[])
        )
    )
order by event.occurred_at, event.event_id
