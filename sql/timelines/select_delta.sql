-- How far the app $1 is packed, how many events are, and before which transaction all have ended; for each piece of the other
-- events, those of transactions that have not been counted, before which transaction it ends, and how many events it has.
-- Not counted are transactions from $3 on, if the app was packed as far as $2 then; else all from where it is packed now. A piece
-- is about $4 events, of whole transactions. Where there is none, there is one row.
--
-- By transaction: `+ 0` keeps the index of app and time away (`delta.sql`).
with state as (
    select
        coalesce(max(packed_through), 0) as packed_through,
        coalesce(max(events), 0) as events
    from timeline_state
    where app_number = $1
),
span as (
    select
        case when packed_through = $2 then $3::bigint else packed_through end as counted_from,
        transaction_horizon() as horizon
    from state
),
storing as (
    select transaction_number, count(*) as events
    from event
    where app_number + 0 = $1
        and transaction_number >= (select counted_from from span)
        and transaction_number < (select horizon from span)
    group by transaction_number
),
numbered as (
    select
        transaction_number,
        events,
        (sum(events) over (order by transaction_number))::bigint / $4::bigint as number
    from storing
),
piece as (
    select
        max(transaction_number) + 1 as ended,
        sum(events)::bigint as events
    from numbered
    group by number
)
select
    state.packed_through,
    state.events,
    span.horizon,
    piece.ended,
    piece.events
from state
cross join span
left join piece on true
order by piece.ended
