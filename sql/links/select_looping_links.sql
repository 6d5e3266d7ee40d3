-- The live links that lead to a host of short links, of whichever app: how many, and the first three by name. A target on
-- such a host is refused, but its host may have become one since.
with looping as (
    select distinct link.host || '/' || slug as name
    from link
    cross join lateral unnest(array[target_url, mobile_url, app_url, expired_url]) as address (url)
    join link_host on link_host.host = rtrim(substring(lower(url) from '^https?://([^/?#:]+)'), '.')
    where deleted_at is null
)
select
    count(*),
    coalesce((array_agg(name order by name))[1:3], '{}')
from looping
