-- Measures the delta of the app $1. Returns the watermark, the number of packed events, and the horizon: all
-- transactions before it have ended. Then, for each piece of the delta that has not been counted yet: the transaction
-- before which the piece ends, and its number of events. If there is no such piece, returns one row.
--
-- If the watermark is still $2, only transactions from $3 on have not been counted; else all from the watermark on. A
-- piece has about $4 events, and never splits a transaction.
--
-- The horizon is the coordinator's own, and must be older than the snapshots of workers.
with here as materialized (
    select transaction_horizon_of($1) as horizon
    from database_identity
),
state as materialized (
    select
        coalesce(max(packed_through), 0) as packed_through,
        coalesce(max(events), 0) as events
    from timeline_state
    where app_number = $1
),
span as materialized (
    select
        case when packed_through = $2 then $3::bigint else packed_through end as counted_from,
        here.horizon
    from state
    cross join here
),
storing as (
    select transaction_number, count(*) as events
    from event
    where app_number = $1
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
