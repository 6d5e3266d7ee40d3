-- Counts the devices and the clicks of an app ($1) that an event links, but whose stored link is missing or comes from
-- a later event. A link from an earlier event is right: that event may have been deleted as too old.
select
    (
        select count(distinct event.device_id)
        from event
        left join device_link as link
            on link.app_number = $1
            and link.device_id = event.device_id
        where event.app_number = $1
            and event.device_id is not null
            and event.user_id is not null
            and (link.occurred_at, link.event_id) <= (event.occurred_at, event.event_id) is not true
    ),
    (
        select count(distinct event.click_id)
        from event
        left join click_link as link
            on link.app_number = $1
            and link.click_id = event.click_id
        where event.app_number = $1
            and event.click_id is not null
            and (event.user_id is not null or event.device_id is not null)
            and (
                (link.precedence, link.occurred_at, link.event_id)
                <= ((event.type <> 'install')::integer, event.occurred_at, event.event_id)
            ) is not true
    )
