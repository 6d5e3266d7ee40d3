-- Deletes the post ids ($2) of events ($3) of an app ($1).
delete from feed_post_key
using unnest($2::text[], $3::text[]::uuid[]) as doomed (post_id, event_id)
where feed_post_key.app_number = $1
    and feed_post_key.post_id = doomed.post_id
    and feed_post_key.event_id = doomed.event_id
