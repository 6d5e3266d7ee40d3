-- Forgets the devices and clicks of people of whom a webhook has no event any more, and those that nobody has any more.
-- $1 the time before which events are gone, $2 the app; null: all.
--
-- A pass does so of each person (`delete_person_keys.sql`), unless the webhook is paused. While the webhook has events,
-- a pass may be about to need the keys that somebody has: it does not write again those that are there.
-- `offset 0` makes the planner look up each key.
delete from webhook_person_key
where $1::timestamptz is not null
    and ($2::integer is null or app_number = $2)
    and (
        not exists (
            select
            from webhook_event
            where webhook_event.app_number = webhook_person_key.app_number
                and webhook_event.webhook_id = webhook_person_key.webhook_id
                and not is_settled
        )
        or left(key, 1) = 'd'
            and not exists (
                select
                from device_link
                where device_link.app_number = webhook_person_key.app_number
                    and device_id = substr(key, 2)
                offset 0
            )
        or left(key, 1) = 'c'
            and not exists (
                select
                from click_link
                where click_link.app_number = webhook_person_key.app_number
                    and click_id = substr(key, 2)
                offset 0
            )
    )
