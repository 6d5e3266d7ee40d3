-- Replaces the rows of periods in attribution_figures. Writes only rows that differ, and deletes those that are gone.
-- Returns the granularities and first days of the rows that it wrote or deleted.
-- $1 app_number, $2 granularities and $3 first days of the periods; from $4 on the new rows, column by column.
with period as (
    select granularity::figures_granularity, starts_on::date
    from unnest($2::text[], $3::text[]) as period (granularity, starts_on)
),
present as not materialized (
    select
        granularity::figures_granularity, starts_on::date, event, grouping, position::integer, is_total::boolean,
        group_name, model, nullif(credits, '')::numeric as credits, nullif(share, '')::numeric as share,
        nullif(value, '')::numeric as value
    from unnest(
        $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
        $13::text[], $14::text[]
    ) as row (
        granularity, starts_on, event, grouping, position, is_total, group_name, model, credits, share, value
    )
),
gone as (
    delete from attribution_figures as old
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
                and present.event = old.event
                and present.grouping = old.grouping
                and present.position = old.position
        )
    returning old.granularity, old.starts_on
),
written as (
    insert into attribution_figures as old (
        app_number, granularity, starts_on, event, grouping, position, is_total, group_name, model, credits, share,
        value
    )
    select
        $1, granularity, starts_on, event, grouping, position, is_total, group_name, model, credits, share, value
    from present
    on conflict (app_number, granularity, starts_on, event, grouping, position) do update
        set is_total = excluded.is_total,
            group_name = excluded.group_name,
            model = excluded.model,
            credits = excluded.credits,
            share = excluded.share,
            value = excluded.value
        where (
            old.is_total, old.group_name, old.model, old.credits, old.share, old.value
        ) is distinct from (
            excluded.is_total, excluded.group_name, excluded.model, excluded.credits, excluded.share, excluded.value
        )
    returning granularity, starts_on
)
select granularity::text, starts_on::text
from gone
union
select granularity::text, starts_on::text
from written
