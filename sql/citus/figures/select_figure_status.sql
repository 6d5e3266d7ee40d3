-- How far behind the figures of each app are.
-- `counted_through`: the daily figures contain every event that was stored up to this time; the app's creation if it
-- has no figures yet. `pending_events`: stored events that no change scan has read.
with stale as (
    select
        app_number,
        min(complete_through) filter (where family = 'totals' and granularity = 'day') as complete_through,
        count(*) as periods
    from stale_figures
    group by app_number
),
pending as (
    select event.app_number, count(*) as events
    from event
    left join figures_state as state
        on state.app_number = event.app_number
        and not state.is_invalid
    where transaction_number >= coalesce(state.horizon, 0)
        and (
            state.snapshot is null
            or transaction_number >> 44 <> state.generation
            or not pg_visible_in_snapshot(
                (transaction_number & ((1::bigint << 44) - 1))::text::xid8,
                state.snapshot::pg_snapshot
            )
        )
    group by event.app_number
)
select
    app.app_id,
    coalesce(
        nullif(coalesce(stale.complete_through, state.looked_at), '-infinity'),
        app.created_at
    ) as counted_through,
    coalesce(stale.periods, 0) as stale_periods,
    coalesce(pending.events, 0) as pending_events
from app
left join (select * from figures_state where not is_invalid) as state on state.app_number = app.app_number
left join stale on stale.app_number = app.app_number
left join pending on pending.app_number = app.app_number
order by app.app_id
