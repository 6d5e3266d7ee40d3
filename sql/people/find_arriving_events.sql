-- The events of an app ($1) that happened from a time on ($2) and were received after another ($3), of one device ($4;
-- null: of all), for `app check --listen`: by `event_identity`. The newest 100 of them, the oldest first.
select * from (
    select
        event_id,
        type::text,
        occurred_at,
        received_at,
        user_id,
        device_id,
        click_id,
        post_id,
        channel::text,
        refs,
        goal,
        value::text,
        currency,
        coalesce(test_traffic, false) as test_traffic,
        transaction_number
    from event
    where app_number = $1
        and occurred_at >= $2
        and received_at > $3
        and ($4::text is null or device_id = $4)
    order by occurred_at desc, event_id desc
    limit 100
) as arriving
order by occurred_at, event_id
