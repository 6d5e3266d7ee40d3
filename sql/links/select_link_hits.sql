-- What links count beside their clicks. $1 the app; $2 and $3 the first and the last day (UTC), as days since
-- 1970-01-01; $4 hosts and $5 slugs; $6 how many links are returned at most. Returns the links named by $4 and $5, and all that previewers or other bots asked
-- for on these days: host, slug, the refs of the link (null if it is gone), previews, requests of other bots.
with hits as (
    select
        host,
        slug,
        sum(preview)::bigint as previews,
        sum(bot)::bigint as bots
    from link_hits
    where app_number = $1
        and day between date '1970-01-01' + $2::integer and date '1970-01-01' + $3::integer
        and preview + bot > 0
    group by host, slug
),
shown as (
    select host, slug
    from hits
    union
    select host, slug
    from unnest($4::text[], $5::text[]) as asked (host, slug)
)
select
    shown.host,
    shown.slug,
    link.ref,
    coalesce(hits.previews, 0),
    coalesce(hits.bots, 0)
from shown
left join hits
    on hits.host = shown.host
    and hits.slug = shown.slug
left join link
    on link.app_number = $1
    and link.host = shown.host
    and link.slug = shown.slug
limit $6
