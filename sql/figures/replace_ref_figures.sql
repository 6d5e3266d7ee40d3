-- Replaces the rows of periods in ref_figures. Writes only rows that differ, and deletes those that are gone. Returns
-- the granularities and first days of the rows that it wrote or deleted.
-- $1 app_number, $2 granularities and $3 first days of the periods; from $4 on the new rows, column by column.
with period as (
    select granularity::figures_granularity, starts_on::date
    from unnest($2::text[], $3::text[]) as period (granularity, starts_on)
),
present as not materialized (
    select
        granularity::figures_granularity, starts_on::date, position::integer, is_total::boolean, ref, posts::bigint,
        cancelled::bigint, failed::bigint, unconfirmed::bigint, nullif(post_rate, '')::numeric as post_rate,
        posters::bigint, touches::bigint, people::bigint, authenticated_touches::bigint,
        nullif(installs, '')::numeric as installs, nullif(conversions, '')::numeric as conversions,
        nullif(value, '')::numeric as value, nullif(touches_per_post, '')::numeric as touches_per_post,
        nullif(installs_per_poster, '')::numeric as installs_per_poster
    from unnest(
        $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
        $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[],
        $21::text[], $22::text[]
    ) as row (
        granularity, starts_on, position, is_total, ref, posts, cancelled, failed, unconfirmed, post_rate, posters,
        touches, people, authenticated_touches, installs, conversions, value, touches_per_post, installs_per_poster
    )
),
gone as (
    delete from ref_figures as old
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
    insert into ref_figures as old (
        app_number, granularity, starts_on, position, is_total, ref, posts, cancelled, failed, unconfirmed, post_rate,
        posters, touches, people, authenticated_touches, installs, conversions, value, touches_per_post,
        installs_per_poster
    )
    select
        $1, granularity, starts_on, position, is_total, ref, posts, cancelled, failed, unconfirmed, post_rate,
        posters, touches, people, authenticated_touches, installs, conversions, value, touches_per_post,
        installs_per_poster
    from present
    on conflict (app_number, granularity, starts_on, position) do update
        set is_total = excluded.is_total,
            ref = excluded.ref,
            posts = excluded.posts,
            cancelled = excluded.cancelled,
            failed = excluded.failed,
            unconfirmed = excluded.unconfirmed,
            post_rate = excluded.post_rate,
            posters = excluded.posters,
            touches = excluded.touches,
            people = excluded.people,
            authenticated_touches = excluded.authenticated_touches,
            installs = excluded.installs,
            conversions = excluded.conversions,
            value = excluded.value,
            touches_per_post = excluded.touches_per_post,
            installs_per_poster = excluded.installs_per_poster
        where (
            old.is_total, old.ref, old.posts, old.cancelled, old.failed, old.unconfirmed, old.post_rate, old.posters,
            old.touches, old.people, old.authenticated_touches, old.installs, old.conversions, old.value,
            old.touches_per_post, old.installs_per_poster
        ) is distinct from (
            excluded.is_total, excluded.ref, excluded.posts, excluded.cancelled, excluded.failed,
            excluded.unconfirmed, excluded.post_rate, excluded.posters, excluded.touches, excluded.people,
            excluded.authenticated_touches, excluded.installs, excluded.conversions, excluded.value,
            excluded.touches_per_post, excluded.installs_per_poster
        )
    returning granularity, starts_on
)
select granularity::text, starts_on::text
from gone
union
select granularity::text, starts_on::text
from written
