-- Replaces the rows of periods in post_figures. Writes only rows that differ, and deletes those that are gone. Returns
-- the granularities and first days of the rows that it wrote or deleted.
-- $1 app_number, $2 granularities and $3 first days of the periods; from $4 on the new rows, column by column.
with period as (
    select granularity::figures_granularity, starts_on::date
    from unnest($2::text[], $3::text[]) as period (granularity, starts_on)
),
present as not materialized (
    select
        granularity::figures_granularity, starts_on::date, position::integer, is_total::boolean, ref,
        nullif(composer, '') as composer, posted::bigint, cancelled::bigint, failed::bigint, unconfirmed::bigint,
        nullif(post_rate, '')::numeric as post_rate, posters::bigint
    from unnest(
        $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
        $13::text[], $14::text[], $15::text[]
    ) as row (
        granularity, starts_on, position, is_total, ref, composer, posted, cancelled, failed, unconfirmed, post_rate,
        posters
    )
),
gone as (
    delete from post_figures as old
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
    insert into post_figures as old (
        app_number, granularity, starts_on, position, is_total, ref, composer, posted, cancelled, failed, unconfirmed,
        post_rate, posters
    )
    select
        $1, granularity, starts_on, position, is_total, ref, composer, posted, cancelled, failed, unconfirmed,
        post_rate, posters
    from present
    on conflict (app_number, granularity, starts_on, position) do update
        set is_total = excluded.is_total,
            ref = excluded.ref,
            composer = excluded.composer,
            posted = excluded.posted,
            cancelled = excluded.cancelled,
            failed = excluded.failed,
            unconfirmed = excluded.unconfirmed,
            post_rate = excluded.post_rate,
            posters = excluded.posters
        where (
            old.is_total, old.ref, old.composer, old.posted, old.cancelled, old.failed, old.unconfirmed,
            old.post_rate, old.posters
        ) is distinct from (
            excluded.is_total, excluded.ref, excluded.composer, excluded.posted, excluded.cancelled, excluded.failed,
            excluded.unconfirmed, excluded.post_rate, excluded.posters
        )
    returning granularity, starts_on
)
select granularity::text, starts_on::text
from gone
union
select granularity::text, starts_on::text
from written
