-- Replaces the rows of periods in channel_figures. Writes only rows that differ, and deletes those that are gone.
-- Returns the granularities and first days of the rows that it wrote or deleted.
-- $1 app_number, $2 granularities and $3 first days of the periods; from $4 on the new rows, column by column.
with period as (
    select granularity::figures_granularity, starts_on::date
    from unnest($2::text[], $3::text[]) as period (granularity, starts_on)
),
present as not materialized (
    select
        granularity::figures_granularity, starts_on::date, position::integer, is_total::boolean, channel,
        touches::bigint, people::bigint, authenticated_touches::bigint, nullif(installs, '')::numeric as installs,
        nullif(conversions, '')::numeric as conversions, nullif(value, '')::numeric as value
    from unnest(
        $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
        $13::text[], $14::text[]
    ) as row (
        granularity, starts_on, position, is_total, channel, touches, people, authenticated_touches, installs,
        conversions, value
    )
),
gone as (
    delete from channel_figures as old
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
                and present.position = old.position
        )
    returning old.granularity, old.starts_on
),
written as (
    insert into channel_figures as old (
        app_number, granularity, starts_on, position, is_total, channel, touches, people, authenticated_touches,
        installs, conversions, value
    )
    select
        $1, granularity, starts_on, position, is_total, channel, touches, people, authenticated_touches, installs,
        conversions, value
    from present
    on conflict (app_number, granularity, starts_on, position) do update
        set is_total = excluded.is_total,
            channel = excluded.channel,
            touches = excluded.touches,
            people = excluded.people,
            authenticated_touches = excluded.authenticated_touches,
            installs = excluded.installs,
            conversions = excluded.conversions,
            value = excluded.value
        where (
            old.is_total, old.channel, old.touches, old.people, old.authenticated_touches, old.installs,
            old.conversions, old.value
        ) is distinct from (
            excluded.is_total, excluded.channel, excluded.touches, excluded.people, excluded.authenticated_touches,
            excluded.installs, excluded.conversions, excluded.value
        )
    returning granularity, starts_on
)
select granularity::text, starts_on::text
from gone
union
select granularity::text, starts_on::text
from written
