-- The events of a person in a range of time, as JSON.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.from, tributary.to    the range: from inclusive, to exclusive
--   tributary.users, tributary.devices, tributary.clicks    the person's keys, as arrays
--
-- :event_columns are the columns of `event` that the file tells (`EventColumn.toldList`).
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
        :event_columns
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
