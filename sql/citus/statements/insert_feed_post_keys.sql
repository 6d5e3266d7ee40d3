-- Claims the ids of feed posts: a post that is reported twice is stored once.
-- For every post, each id once, sorted by app number and post id: $1 app number, $2 post id, $3 event id.
-- Returns the events whose posts are new, in the same order.
-- With Citus, they come shard by shard, so they are sorted.
with fresh as (
    insert into feed_post_key (app_number, post_id, event_id)
    select app_number, post_id, event_id
    from unnest($1::integer[], $2::text[], $3::uuid[]) as key (app_number, post_id, event_id)
    on conflict do nothing
    returning app_number, post_id, event_id
)
select app_number, event_id
from fresh
order by app_number, post_id
