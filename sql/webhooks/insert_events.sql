-- Takes up the events that are new to a webhook. $1 the app, $2 the webhook, $3 its position, $4 where it will be
-- afterwards, $5 the type, $6 the name; null: any.
insert into webhook_event (app_number, webhook_id, event_id, occurred_at, received_at, transaction_number)
select app_number, $2, event_id, occurred_at, received_at, transaction_number
from event
where app_number = $1
    and transaction_number >= $3
    and transaction_number < $4
    and type = $5::event_type
    and ($6::text is null or goal = $6)
    and test_traffic is not true
on conflict do nothing
