-- Whom devices and clicks stand for, by events that are being stored: the earliest event wins. The earliest known is looked
-- up first, because "on conflict do update" writes a row version even where its condition fails; by a subquery, which can
-- only be a look into the index, whatever the planner believes about the size of the group.
--
-- Devices, ordered by app number and device id, each once: $1 app numbers, $2 devices, $3 users, $4 times of the events,
-- $5 their ids. Clicks, likewise: $6 app numbers, $7 clicks, $8 users, $9 devices where there is no user, $10 times, $11 ids.
-- $12 the number of the transaction.
with devices as (
    insert into device_link as known (app_number, device_id, user_id, occurred_at, event_id, transaction_number)
    select app_number, device_id, user_id, occurred_at, event_id, $12
    from unnest($1::integer[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[])
        as new (app_number, device_id, user_id, occurred_at, event_id)
    where (
            select (earlier.occurred_at, earlier.event_id) <= (new.occurred_at, new.event_id)
            from device_link as earlier
            where earlier.app_number = new.app_number
                and earlier.device_id = new.device_id
        ) is not true
    on conflict (app_number, device_id) do update
        set user_id = excluded.user_id,
            occurred_at = excluded.occurred_at,
            event_id = excluded.event_id,
            transaction_number = excluded.transaction_number
        where (excluded.occurred_at, excluded.event_id) < (known.occurred_at, known.event_id)
)
insert into click_link as known (app_number, click_id, user_id, device_id, occurred_at, event_id, transaction_number)
select app_number, click_id, user_id, device_id, occurred_at, event_id, $12
from unnest($6::integer[], $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::uuid[])
    as new (app_number, click_id, user_id, device_id, occurred_at, event_id)
where (
        select (earlier.occurred_at, earlier.event_id) <= (new.occurred_at, new.event_id)
        from click_link as earlier
        where earlier.app_number = new.app_number
            and earlier.click_id = new.click_id
    ) is not true
on conflict (app_number, click_id) do update
    set user_id = excluded.user_id,
        device_id = excluded.device_id,
        occurred_at = excluded.occurred_at,
        event_id = excluded.event_id,
        transaction_number = excluded.transaction_number
    where (excluded.occurred_at, excluded.event_id) < (known.occurred_at, known.event_id)
