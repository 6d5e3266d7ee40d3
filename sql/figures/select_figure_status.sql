-- How far behind the figures of each app are.
-- `counted_through`: the daily figures contain every event that was stored up to this time; the app's creation if it
-- has no figures yet. `pending_events`: stored events that no change scan has read.
select
    app.app_id,
    coalesce(
        nullif(
            coalesce(
                (
                    select min(complete_through)
                    from stale_figures
                    where stale_figures.app_number = app.app_number
                        and family = 'totals'
                        and granularity = 'day'
                ),
                state.looked_at
            ),
            '-infinity'
        ),
        app.created_at
    ) as counted_through,
    (
        select count(*)
        from stale_figures
        where stale_figures.app_number = app.app_number
    ) as stale_periods,
    (
        select count(*)
        from event
        where event.app_number = app.app_number
            and transaction_number >= coalesce(state.horizon, 0)
            and (
                state.snapshot is null
                or transaction_number >> 44 <> state.generation
                or not pg_visible_in_snapshot(
                    (transaction_number & ((1::bigint << 44) - 1))::text::xid8,
                    state.snapshot::pg_snapshot
                )
            )
    ) as pending_events
from app
left join figures_state as state
    on state.app_number = app.app_number
    and not state.is_invalid
order by app.app_id
