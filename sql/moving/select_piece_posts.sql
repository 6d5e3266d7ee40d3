-- The keys of a piece's feed posts, as in select_piece_keys.sql.
select
    :there::integer,
    event.post_id,
    event.event_id
from event
join feed_post_key as known
--citus cross join lateral (
    on known.app_number = event.app_number + 0 and known.post_id = event.post_id
    --citus select * from feed_post_key where app_number = :here and post_id = event.post_id offset 0) as known
where known.event_id = event.event_id
    and :condition
