-- Notes the stories ($2) and the stories of posts ($3) of an app ($1).
with here as materialized (
    -- On the coordinator of a cluster: the number is its own.
    select current_transaction_number() as number
    from database_identity
)
insert into changed_story (app_number, story, post_id, transaction_number)
select $1::integer, story, null, here.number
from unnest($2::text[]::uuid[]) as late (story)
cross join here
union
select $1::integer, story_of_post(post_id), post_id, here.number
from unnest($3::text[]) as late (post_id)
cross join here
on conflict (app_number, story) do update
    set transaction_number = greatest(changed_story.transaction_number, excluded.transaction_number)
