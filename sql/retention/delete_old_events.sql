-- Deletes events of an app ($1) in a range of time ($2 inclusive, $3 exclusive), the oldest first, at most $4, and the
-- ids of their posts. Returns the numbers of deleted events and post ids, the time of the last event, and the stories
-- and the ids of late posts: those of transactions from $5 on. They came after the stories of the others were noted
-- (`insert_stories_of_posts.sql`), and touches may have been packed with their refs, so `insert_stories.sql` notes them.
--
-- It inserts nothing: Citus sends what a nested "insert … select" reads to every worker.
with doomed as (
    select event_id, occurred_at
    from event
    where app_number = $1
        and occurred_at >= $2
        and occurred_at < $3
    order by occurred_at
    limit $4
),
deleted as (
    delete from event
    using doomed
    where event.app_number = $1
        and event.occurred_at >= $2
        and event.occurred_at < $3
        and event.occurred_at = doomed.occurred_at
        and event.event_id = doomed.event_id
    returning
        event.event_id,
        event.type,
        event.post_id,
        event.story_key,
        event.occurred_at,
        event.transaction_number
),
late_post as (
    select deleted.story_key, deleted.post_id
    from deleted
    where deleted.type = 'feed_post'
        and deleted.transaction_number >= $5
        and exists (
            select
            from timeline_state
            where app_number = $1
        )
),
posts as (
    delete from feed_post_key
    using deleted
    where feed_post_key.app_number = $1
        and deleted.type = 'feed_post'
        and feed_post_key.post_id = deleted.post_id
        and feed_post_key.event_id = deleted.event_id
    returning 1
)
select
    (select count(*) from deleted) as events,
    (select count(*) from posts) as posts,
    (select max(occurred_at) from deleted) as last,
    array(select story_key::text from late_post where story_key is not null) as late_stories,
    array(select post_id from late_post where post_id is not null) as late_posts
