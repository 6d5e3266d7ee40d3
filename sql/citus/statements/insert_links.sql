-- Inserts the links of devices and clicks that events give. The earliest event wins, for a click the earliest
-- install before all others.
--
-- With Citus, the known link cannot be compared first: rows of a parameter cannot be joined with a distributed table.
-- `LinkCache` spares most links that are known.
--
-- For every device, each once, sorted by app number and device:
-- $1 app number, $2 device, $3 user, $4 time of the event, $5 its id.
-- For every click, each once, sorted by app number and click:
-- $6 app number, $7 click, $8 user, $9 device if there is no user, $10 precedence, $11 time of the event, $12 its id.
-- $13 the number of the transaction.
with devices as (
    insert into device_link as known (app_number, device_id, user_id, occurred_at, event_id, transaction_number)
    select app_number, device_id, user_id, occurred_at, event_id, $13
    from unnest($1::integer[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[])
        as new (app_number, device_id, user_id, occurred_at, event_id)
    on conflict (app_number, device_id) do update
        set user_id = excluded.user_id,
            occurred_at = excluded.occurred_at,
            event_id = excluded.event_id,
            transaction_number = excluded.transaction_number
        where (excluded.occurred_at, excluded.event_id) < (known.occurred_at, known.event_id)
)
insert into click_link as known (
    app_number, click_id, user_id, device_id, precedence, occurred_at, event_id, transaction_number
)
select app_number, click_id, user_id, device_id, precedence, occurred_at, event_id, $13
from unnest($6::integer[], $7::text[], $8::text[], $9::text[], $10::integer[], $11::timestamptz[], $12::uuid[])
    as new (app_number, click_id, user_id, device_id, precedence, occurred_at, event_id)
on conflict (app_number, click_id) do update
    set user_id = excluded.user_id,
        device_id = excluded.device_id,
        precedence = excluded.precedence,
        occurred_at = excluded.occurred_at,
        event_id = excluded.event_id,
        transaction_number = excluded.transaction_number
    where (excluded.precedence, excluded.occurred_at, excluded.event_id)
        < (known.precedence, known.occurred_at, known.event_id)
