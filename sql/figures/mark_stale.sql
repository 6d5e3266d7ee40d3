-- Marks periods as stale. $1 app_number, $2 families, $3 granularities, $4 first days, $5 the time of the change scan
-- up to which their figures are complete. A period that is stale already keeps its earlier time.
insert into stale_figures (app_number, family, granularity, starts_on, complete_through)
select $1, family::figures_family, granularity::figures_granularity, starts_on::date, $5
from unnest($2::text[], $3::text[], $4::text[]) as period (family, granularity, starts_on)
on conflict (app_number, family, granularity, starts_on) do update
    set mark = excluded.mark
