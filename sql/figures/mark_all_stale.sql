-- Marks every period that has figures as stale, because its events may have been deleted: also one that has rows in a
-- table of figures alone, which no change scan finds. $1 app_number, $2 the time of the change scan up to which the
-- figures are complete, $3 the families of figures that the app has.
-- FigureTable fills in the :rows, which are the periods of all tables of figures.
insert into stale_figures (app_number, family, granularity, starts_on, complete_through)
select $1, family, granularity, starts_on, $2
from (
    select granularity, starts_on
    from figures_period
    where app_number = $1
    union
    :rows
) as period
cross join unnest($3::text[]::figures_family[]) as family
where family <> 'retention' or granularity <> 'month'
on conflict (app_number, family, granularity, starts_on) do update
    set mark = excluded.mark
