-- Keeps the keys in `kept_key` for ever in an app ($1) that arrives, and deletes their events: they are of people who
-- were deleted there, perhaps after their events had been copied.
with events as (
    delete from event
    using kept_key
    where app_number = $1
        and event.event_id = kept_key.event_id
),
posts as (
    delete from feed_post_key
    using kept_key
    where app_number = $1
        and feed_post_key.event_id = kept_key.event_id
)
select keep_event_keys($1, array(select event_id from kept_key))
