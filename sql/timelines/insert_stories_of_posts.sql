-- Notes the stories of feed posts of the app $1 that are about to be deleted: those before the time $2, and those with
-- the times $3 and the ids $4.
with here as materialized (
    -- On the coordinator of a cluster: the number is its own.
    select current_transaction_number() as number
    from database_identity
),
doomed as (
    select story_key, post_id
    from event
    where app_number = $1
        and type = 'feed_post'
        and occurred_at < $2
    union all
    select event.story_key, event.post_id
    from unnest($3::text[]::timestamptz[], $4::text[]::uuid[]) as post (occurred_at, event_id)
    join event
        on event.app_number = $1
        and event.type = 'feed_post'
        and event.occurred_at = post.occurred_at
        and event.event_id = post.event_id
)
insert into changed_story (app_number, story, post_id, transaction_number)
select $1::integer, story_key, null, here.number
from doomed
cross join here
where story_key is not null
union
select $1::integer, story_of_post(post_id), post_id, here.number
from doomed
cross join here
where post_id is not null
on conflict (app_number, story) do update
    set transaction_number = greatest(changed_story.transaction_number, excluded.transaction_number)
