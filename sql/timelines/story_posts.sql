-- The posts of one app by what touches know them by, in no order: a story key, from the post's time on; the id of a post, whenever
-- (CONTRACT.md section 4). The index of story keys has all that the first half needs.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.stored_from    the transaction from which on events are not packed
--   tributary.has_post_ids   whether a packed touch names the id of its post
select
    story_key as story,
    occurred_at as posted_from,
    event_id,
    occurred_at
from event
where app_number = current_setting('tributary.app_number')::integer
    and type = 'feed_post'
    and outcome in ('posted', 'unconfirmed')
    and story_key is not null
union all
select
    story_of_post(post_id),
    '-infinity',
    event_id,
    occurred_at
from event
where app_number = current_setting('tributary.app_number')::integer
    and type = 'feed_post'
    and post_id is not null
    and (
        current_setting('tributary.has_post_ids')::boolean
        or exists (
            select
            from event as touch
            where touch.transaction_number >= current_setting('tributary.stored_from')::bigint
                -- By transaction: `+ 0` keeps the index of app and time away (`tail.sql`).
                and touch.app_number + 0 = current_setting('tributary.app_number')::integer
                and touch.channel is not null
                and touch.post_id is not null
        )
    )
