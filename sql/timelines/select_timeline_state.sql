-- How far the events of the app $1 are packed.
select packed_through, linked_through, generation, next_segment, events, last_story_touch, has_post_ids, hash_key,
    properties
from timeline_state
where app_number = $1
