-- The posts of one app by their story keys, in the order of story, time and id (docs/reports.md, *viral*): as their index has them,
-- with all that is asked for.
--
-- Runs inside COPY, which takes no $n, so its parameter is a setting (`BoundStatement`): tributary.app_number
select
    story_key as story,
    occurred_at,
    event_id
from event
where app_number = current_setting('tributary.app_number')::integer
    and type = 'feed_post'
    and outcome in ('posted', 'unconfirmed')
    and story_key is not null
order by app_number, story_key, occurred_at, event_id
