-- Forgets the devices and clicks of people of whom a webhook has no event any more. $1 the time before which events are
-- gone, $2 the app; null: all.
--
-- A pass does so of each person (`delete_person_keys.sql`), unless the webhook is paused. While the webhook has events,
-- a pass may be about to need the keys: it does not write again those that are there.
delete from webhook_person_key
where $1::timestamptz is not null
    and ($2::integer is null or app_number = $2)
    and not exists (
        select
        from webhook_event
        where webhook_event.app_number = webhook_person_key.app_number
            and webhook_event.webhook_id = webhook_person_key.webhook_id
            and not is_settled
    )
