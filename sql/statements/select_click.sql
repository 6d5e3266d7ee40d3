-- The click of an app ($1) with an id ($2): the earliest event that says so. A click on a short link has no user and no
-- device, so the index `event_anonymous_by_click` finds it.
select
    occurred_at,
    properties ->> 'host' as host,
    properties ->> 'link' as slug,
    target_url,
    refs
from event
where app_number = $1
    and user_id is null
    and device_id is null
    and click_id = $2
    and type = 'link_click'
order by occurred_at, event_id
limit 1
