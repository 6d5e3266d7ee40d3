-- Replaces the rows of periods in funnel_figures. Writes only rows that differ, and deletes those that are gone.
-- Returns the granularities and first days of the rows that it wrote or deleted.
-- $1 app_number, $2 granularities and $3 first days of the periods; from $4 on the new rows, column by column.
with period as (
    select granularity::figures_granularity, starts_on::date
    from unnest($2::text[], $3::text[]) as period (granularity, starts_on)
),
present as not materialized (
    select
        granularity::figures_granularity, starts_on::date, funnel, grouping, position::integer, is_total::boolean,
        group_name, step::integer, step_name, people::bigint, nullif(rate_from_first, '')::numeric as rate_from_first,
        nullif(rate_from_previous, '')::numeric as rate_from_previous, nullif(ci_low, '')::numeric as ci_low,
        nullif(ci_high, '')::numeric as ci_high, nullif(median_seconds, '')::numeric as median_seconds,
        unknown_times::bigint
    from unnest(
        $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
        $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[]
    ) as row (
        granularity, starts_on, funnel, grouping, position, is_total, group_name, step, step_name, people,
        rate_from_first, rate_from_previous, ci_low, ci_high, median_seconds, unknown_times
    )
),
gone as (
    delete from funnel_figures as old
    using period
    where old.app_number = $1
        and old.granularity = any ($2::text[]::figures_granularity[])
        and old.starts_on = any ($3::text[]::date[])
        and old.granularity = period.granularity
        and old.starts_on = period.starts_on
        and not exists (
            select
            from present
            where present.granularity = old.granularity
                and present.starts_on = old.starts_on
                and present.funnel = old.funnel
                and present.grouping = old.grouping
                and present.position = old.position
        )
    returning old.granularity, old.starts_on
),
written as (
    insert into funnel_figures as old (
        app_number, granularity, starts_on, funnel, grouping, position, is_total, group_name, step, step_name, people,
        rate_from_first, rate_from_previous, ci_low, ci_high, median_seconds, unknown_times
    )
    select
        $1, granularity, starts_on, funnel, grouping, position, is_total, group_name, step, step_name, people,
        rate_from_first, rate_from_previous, ci_low, ci_high, median_seconds, unknown_times
    from present
    on conflict (app_number, granularity, starts_on, funnel, grouping, position) do update
        set is_total = excluded.is_total,
            group_name = excluded.group_name,
            step = excluded.step,
            step_name = excluded.step_name,
            people = excluded.people,
            rate_from_first = excluded.rate_from_first,
            rate_from_previous = excluded.rate_from_previous,
            ci_low = excluded.ci_low,
            ci_high = excluded.ci_high,
            median_seconds = excluded.median_seconds,
            unknown_times = excluded.unknown_times
        where (
            old.is_total, old.group_name, old.step, old.step_name, old.people, old.rate_from_first,
            old.rate_from_previous, old.ci_low, old.ci_high, old.median_seconds, old.unknown_times
        ) is distinct from (
            excluded.is_total, excluded.group_name, excluded.step, excluded.step_name, excluded.people,
            excluded.rate_from_first, excluded.rate_from_previous, excluded.ci_low, excluded.ci_high,
            excluded.median_seconds, excluded.unknown_times
        )
    returning granularity, starts_on
)
select granularity::text, starts_on::text
from gone
union
select granularity::text, starts_on::text
from written
