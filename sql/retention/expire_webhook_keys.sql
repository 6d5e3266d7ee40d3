-- Forgets the devices and clicks of people of whom webhooks have no event any more. $1 the time before which events are
-- gone, $2 the app; null: all.
delete from webhook_person_key
where $1::timestamptz is not null
    and ($2::integer is null or app_number = $2)
    and not exists (
        select
        from webhook_event
        where webhook_event.app_number = webhook_person_key.app_number
            and webhook_event.webhook_id = webhook_person_key.webhook_id
            and keys @> array[webhook_person_key.person]
    )
