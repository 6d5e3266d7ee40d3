-- The events of an app ($1) in a range of time ($2 inclusive, $3 exclusive) that carry one of these users ($4), devices
-- ($5) or clicks ($6): the person's events, and those of others who share an id. No index serves this: it reads the
-- whole range.
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
    and occurred_at < $3
    and (user_id = any ($4::text[]) or device_id = any ($5::text[]) or click_id = any ($6::text[]))
