-- The first days of the months in which the app $1 has events.
with recursive month as (
    (
        select date_trunc('month', occurred_at at time zone 'UTC') as start
        from event
        where app_number = $1
        order by occurred_at
        limit 1
    )
    union all
    select (
        select date_trunc('month', occurred_at at time zone 'UTC')
        from event
        where app_number = $1
            and occurred_at >= (month.start + interval '1 month') at time zone 'UTC'
        order by occurred_at
        limit 1
    )
    from month
    where month.start is not null
)
select start::date::text
from month
where start is not null
order by start
