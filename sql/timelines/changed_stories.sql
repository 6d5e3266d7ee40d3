-- The posts of stories that packed touches may join wrongly, because a post was deleted, or came after touches that it
-- affects were packed. $1 the app, $2 the watermark: events of transactions from it on are not packed, $3 the time of
-- the latest packed touch of a story, $4 whether a packed touch names the id of its post. A story without posts has one
-- row with nulls.
with story as (
    select story, post_id
    from changed_story
    where app_number = $1
    union
    select story_key, null
    from event
    where app_number = $1
        and transaction_number >= $2
        and type = 'feed_post'
        and is_story_post(outcome)
        and story_key is not null
        and occurred_at <= $3
    union
    select story_of_post(post_id), post_id
    from event
    where $4
        and app_number = $1
        and transaction_number >= $2
        and type = 'feed_post'
        and post_id is not null
)
select story.story, post.occurred_at, post.event_id, post.refs
from story
left join lateral (
    select event.occurred_at, event.event_id, event.refs
    from event
    where story.post_id is null
        and event.app_number = $1
        and event.type = 'feed_post'
        and is_story_post(event.outcome)
        and event.story_key is not null
        and event.story_key = story.story
    union all
    select '-infinity', event.event_id, event.refs
    from event
    where event.app_number = $1
        and event.type = 'feed_post'
        and event.post_id is not null
        and event.post_id = story.post_id
) as post on true
order by story.story, post.occurred_at, post.event_id
