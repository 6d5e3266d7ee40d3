-- The moves that have not ended, and those whose app's rows are still here: the app, the state as `MoveState` names it,
-- and since when.
with move as (
    select
        app_id,
        case
            when moved_at is not null then 'moved'
            when barred_at is not null then 'barred'
            else 'departing'
        end as state,
        coalesce(moved_at, barred_at, started_at) as since
    from app_departure
    join app using (app_number)
    where app_number <> all (array(select app_number from deleted_app))
    union all
    select
        app_id,
        case when undone_at is null then 'arriving' else 'undone' end,
        coalesce(undone_at, started_at)
    from app_arrival
    where arrived_at is null
)
select
    app_id,
    state,
    to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
from move
order by since
