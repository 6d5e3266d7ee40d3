-- The next events of a webhook to look at: what has changed, and what is to be settled. $1 the app, $2 the webhook,
-- $3 what was received until then is settled, $4 how many, $5 about how many bytes of what was told they may have. What
-- is to be settled comes first: each event is so once.
with candidate as materialized (
    (
        select *
        from webhook_event
        where app_number = $1
            and webhook_id = $2
            and is_stale
            and not is_settled
        order by marked_at, received_at
        limit $4
    )
    union
    (
        select *
        from webhook_event
        where app_number = $1
            and webhook_id = $2
            and received_at <= $3
            and not is_settled
        order by received_at
        limit $4
    )
),
next as (
    select *
    from (
        select
            *,
            sum(octet_length(told)) over (
                order by received_at > $3, marked_at, received_at, event_id
                rows between unbounded preceding and 1 preceding
            ) as bytes_before
        from candidate
    ) as measured
    where coalesce(bytes_before, 0) < $5::bigint
)
select
    next.event_id,
    next.occurred_at,
    next.received_at,
    next.told,
    next.person as told_person,
    next.is_erased,
    next.mentioned,
    event.event_id is null as is_gone,
    event.type::text,
    event.goal,
    trim_scale(event.value)::text,
    event.currency,
    event.device_id,
    event.click_id,
    event_person(
        event.user_id,
        device.user_id,
        event.device_id,
        click_owner(click.user_id, click_device.user_id, click.device_id),
        event.click_id
    ) as person,
    coalesce(event.sent_by::text, 'server')
from next
left join lateral (
    select *
    from event
    where app_number = $1
        and occurred_at = next.occurred_at
        and event_id = next.event_id
    offset 0
) as event on true
left join lateral (
    select user_id
    from device_link
    where event.user_id is null
        and app_number = $1
        and device_id = event.device_id
    offset 0
) as device on true
left join lateral (
    select user_id, device_id
    from click_link
    where event.user_id is null
        and event.device_id is null
        and app_number = $1
        and click_id = event.click_id
    offset 0
) as click on true
left join lateral (
    select user_id
    from device_link
    where click.user_id is null
        and app_number = $1
        and device_id = click.device_id
    offset 0
) as click_device on true
order by next.received_at > $3, next.marked_at, next.received_at, next.event_id
limit $4
