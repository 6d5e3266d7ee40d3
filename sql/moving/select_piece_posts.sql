-- The keys of a piece's feed posts, as in select_piece_keys.sql.
select
    :app::integer,
    event.post_id,
    event.event_id
from event
join feed_post_key
    on feed_post_key.app_number = event.app_number + 0
    and feed_post_key.post_id = event.post_id
    and feed_post_key.event_id = event.event_id
where :condition
