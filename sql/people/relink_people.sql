-- Restores links of an app ($1) from the events of transactions from $2 on; only the links of the devices $3 and the
-- clicks $4, unless those are null. Needed after links were removed while such events were stored: their writers still
-- saw the links and added none. Right links are skipped, because "on conflict do update" would lock each of them.
-- $5 the number of this transaction.
-- Citus would send a materialized result to every worker.
with stored as (
--citus with stored as not materialized (
    select (type <> 'install')::integer as precedence, occurred_at, event_id, user_id, device_id, click_id
    from event
    -- `+ 0` keeps the planner from using the index by app and time instead of that by transaction (`delta.sql`).
    where app_number + 0 = $1
    --citus where app_number = $1
        and transaction_number >= $2
        and (user_id is not null or device_id is not null)
        and (
            $3::text[] is null
            or device_id = any ($3::text[])
            or click_id = any ($4::text[])
        )
),
devices as (
    insert into device_link as known (app_number, device_id, user_id, occurred_at, event_id, transaction_number)
    select distinct on (device_id)
        $1::integer,
        device_id,
        user_id,
        occurred_at,
        event_id,
        $5
    from stored
    where user_id is not null
        and device_id is not null
        and not exists (
            select
            from device_link as earlier
            where earlier.app_number = $1
                and earlier.device_id = stored.device_id
                and (earlier.occurred_at, earlier.event_id) <= (stored.occurred_at, stored.event_id)
        )
    order by device_id, occurred_at, event_id
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
select distinct on (click_id)
    $1::integer,
    click_id,
    user_id,
    case when user_id is null then device_id end,
    precedence,
    occurred_at,
    event_id,
    $5
from stored
where click_id is not null
    and not exists (
        select
        from click_link as earlier
        where earlier.app_number = $1
            and earlier.click_id = stored.click_id
            and (earlier.precedence, earlier.occurred_at, earlier.event_id)
                <= (stored.precedence, stored.occurred_at, stored.event_id)
    )
order by click_id, precedence, occurred_at, event_id
on conflict (app_number, click_id) do update
    set user_id = excluded.user_id,
        device_id = excluded.device_id,
        precedence = excluded.precedence,
        occurred_at = excluded.occurred_at,
        event_id = excluded.event_id,
        transaction_number = excluded.transaction_number
    where (excluded.precedence, excluded.occurred_at, excluded.event_id)
        < (known.precedence, known.occurred_at, known.event_id)
