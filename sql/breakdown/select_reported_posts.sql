-- What a report says of single posts (docs/reports.md, *breakdown*).
--
-- $1 the app, $2 the times of the posts' events, $3 their ids, $4 and $5 the first and the last of these times.
select
    post.event_id,
    post.post_id,
    post.refs,
    post.composer,
    post.post_link
from unnest($2::text[]::timestamptz[], $3::text[]::uuid[]) as shown (occurred_at, event_id)
join event as post
    on post.app_number = $1
    and post.occurred_at between $4 and $5
    and post.occurred_at = shown.occurred_at
    and post.event_id = shown.event_id
