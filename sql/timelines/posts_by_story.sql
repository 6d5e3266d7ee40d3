-- The posts of one app that have a story, sorted by story, time and id (docs/reports.md, *viral*). Their index has this
-- order and all selected columns.
--
-- Runs inside COPY, which takes no $n, so its parameter is a setting (`BoundStatement`): tributary.app_number
select
    story_key as story,
    occurred_at,
    event_id
from event
where app_number = current_setting('tributary.app_number')::integer
    and type = 'feed_post'
    and is_story_post(outcome)
    and story_key is not null
order by app_number, story_key, occurred_at, event_id
