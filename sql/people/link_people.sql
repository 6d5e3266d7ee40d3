-- Inserts links of devices or clicks of an app ($1). If a link exists, the one from the earlier event wins. $2 `device`
-- or `click`, $3 ids, $4 users (empty: none), $5 devices (empty: none), $6 times of the events, $7 their ids.
with said as (
    select
        id,
        nullif(user_id, '') as user_id,
        nullif(device_id, '') as device_id,
        occurred_at::timestamptz as occurred_at,
        event_id::uuid as event_id
    from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
        as said (id, user_id, device_id, occurred_at, event_id)
),
devices as (
    insert into device_link as known (app_number, device_id, user_id, occurred_at, event_id, transaction_number)
    select $1::integer, id, user_id, occurred_at, event_id, (select current_transaction_number())
    from said
    where $2::text = 'device'
    order by id
    on conflict (app_number, device_id) do update
        set user_id = excluded.user_id,
            occurred_at = excluded.occurred_at,
            event_id = excluded.event_id,
            transaction_number = excluded.transaction_number
        where (excluded.occurred_at, excluded.event_id) < (known.occurred_at, known.event_id)
)
insert into click_link as known (app_number, click_id, user_id, device_id, occurred_at, event_id, transaction_number)
select $1::integer, id, user_id, device_id, occurred_at, event_id, (select current_transaction_number())
from said
where $2::text = 'click'
order by id
on conflict (app_number, click_id) do update
    set user_id = excluded.user_id,
        device_id = excluded.device_id,
        occurred_at = excluded.occurred_at,
        event_id = excluded.event_id,
        transaction_number = excluded.transaction_number
    where (excluded.occurred_at, excluded.event_id) < (known.occurred_at, known.event_id)
