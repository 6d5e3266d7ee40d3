-- The last change scan of an app, and the values for the next one. $1 app_number.
--
-- The horizon is the coordinator's own, and must be older than the snapshots of workers. The snapshot sees all
-- transactions below the horizon and no other: what the coordinator's own snapshot sees may not be visible on a worker
-- yet (`transaction_horizon()`). Before the first transaction of a generation, the horizon's id is 0, which no snapshot
-- may have.
with here as materialized (
    select transaction_horizon_of($1) as horizon
    from database_identity
),
state as materialized (
    select *
    from figures_state
    where app_number = $1
),
newest as materialized (
    select max(occurred_at) as occurred_at
    from event
    where app_number = $1
)
select
    state.definition,
    state.time_zone,
    state.currency,
    state.properties,
    state.horizon,
    state.generation,
    state.snapshot,
    state.looked_at,
    state.is_invalid,
    here.horizon as next_horizon,
    here.horizon >> 44 as next_generation,
    format('%1$s:%1$s:', greatest(here.horizon & ((1::bigint << 44) - 1), 1)) as next_snapshot,
    statement_timestamp() as next_look,
    newest.occurred_at as newest
from here
cross join newest
left join state on true
