-- Claims the ids of feed posts: the same post told twice is one post.
-- $1 app numbers, $2 post ids and $3 event ids, one of each for every post, ordered by app number and post id, each post once.
-- Returns the events whose posts were free, in the order in which they came.
insert into feed_post_key (app_number, post_id, event_id)
select app_number, post_id, event_id
from unnest($1::integer[], $2::text[], $3::uuid[]) as key (app_number, post_id, event_id)
on conflict do nothing
returning app_number, event_id
