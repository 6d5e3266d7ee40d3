-- Marks every period that has figures as stale, because its events may have been deleted. $1 app_number, $2 the time of
-- the change scan up to which the figures are complete, $3 the families of figures that the app has.
insert into stale_figures (app_number, family, granularity, starts_on, complete_through)
select app_number, family, granularity, starts_on, $2
from figures_period
cross join unnest($3::text[]::figures_family[]) as family
where app_number = $1
    and (family <> 'retention' or granularity <> 'month')
on conflict (app_number, family, granularity, starts_on) do update
    set mark = excluded.mark
