-- The posts of one app that have an id, in no order (docs/reports.md, *viral*). Their index has all selected columns.
-- No rows if no touch names a post by its id.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.stored_from    the watermark: events of transactions from it on are not packed
--   tributary.has_post_ids   whether a packed touch names the id of its post
select
    post_id,
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
                -- `+ 0` keeps the planner from using the index by app and time (`delta.sql`).
                and touch.app_number + 0 = current_setting('tributary.app_number')::integer
                --citus and touch.app_number = current_setting('tributary.app_number')::integer
                and touch.channel is not null
                and touch.post_id is not null
        )
    )
