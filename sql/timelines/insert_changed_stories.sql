-- Notes the stories whose packed touches may get other refs from posts that are being packed now. $1 the app; the posts
-- of transactions from $2 on and before $3; $4 the time of the latest packed touch of a story; $5 whether a packed
-- touch names the id of its post.
insert into changed_story (app_number, story, post_id, transaction_number)
select $1::integer, story_key, null, $3::bigint
from event
where app_number = $1
    and transaction_number >= $2
    and transaction_number < $3
    and type = 'feed_post'
    and is_story_post(outcome)
    and story_key is not null
    and occurred_at <= $4
union
select $1::integer, story_of_post(post_id), post_id, $3::bigint
from event
where $5
    and app_number = $1
    and transaction_number >= $2
    and transaction_number < $3
    and type = 'feed_post'
    and post_id is not null
on conflict (app_number, story) do update
    set transaction_number = greatest(changed_story.transaction_number, excluded.transaction_number)
