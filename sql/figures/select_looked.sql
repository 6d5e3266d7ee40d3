-- The last change scan of an app, and the values for the next one. $1 app_number.
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
    transaction_horizon() as next_horizon,
    transaction_horizon() >> 44 as next_generation,
    pg_current_snapshot()::text as next_snapshot,
    statement_timestamp() as next_look,
    (select max(occurred_at) from event where app_number = $1) as newest
from (select $1::integer as app_number) as app
left join figures_state as state using (app_number)
