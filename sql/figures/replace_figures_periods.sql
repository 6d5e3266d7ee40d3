-- Records which periods have figures, after their rows were written. A period goes when it has neither totals nor
-- people who were active. $1 app_number, $2 granularities and $3 first days of the computed periods; $4
-- granularities, $5 first days, $6 starts and $7 ends of those among them in which anything happened.
with looked_at as (
    select granularity::figures_granularity, starts_on::date
    from unnest($2::text[], $3::text[]) as period (granularity, starts_on)
),
present as not materialized (
    select granularity::figures_granularity, starts_on::date, starts_at::timestamptz, ends_at::timestamptz
    from unnest($4::text[], $5::text[], $6::text[], $7::text[]) as period (granularity, starts_on, starts_at, ends_at)
),
gone as (
    delete from figures_period
    using looked_at
    where figures_period.app_number = $1
        and figures_period.granularity = looked_at.granularity
        and figures_period.starts_on = looked_at.starts_on
        and not exists (
            select
            from present
            where present.granularity = looked_at.granularity
                and present.starts_on = looked_at.starts_on
        )
        and not exists (
            select
            from channel_figures
            where channel_figures.app_number = $1
                and channel_figures.granularity = any ($2::text[]::figures_granularity[])
                and channel_figures.starts_on = any ($3::text[]::date[])
                and channel_figures.granularity = figures_period.granularity
                and channel_figures.starts_on = figures_period.starts_on
        )
        and not exists (
            select
            from activity_figures
            where activity_figures.app_number = $1
                and activity_figures.granularity = any ($2::text[]::figures_granularity[])
                and activity_figures.starts_on = any ($3::text[]::date[])
                and activity_figures.granularity = figures_period.granularity
                and activity_figures.starts_on = figures_period.starts_on
        )
)
insert into figures_period as old (app_number, granularity, starts_on, starts_at, ends_at)
select $1, granularity, starts_on, starts_at, ends_at
from present
on conflict (app_number, granularity, starts_on) do update
    set starts_at = excluded.starts_at, ends_at = excluded.ends_at
    where (old.starts_at, old.ends_at) is distinct from (excluded.starts_at, excluded.ends_at)
