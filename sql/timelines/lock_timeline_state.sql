-- The same, until the transaction's end for nobody else who packs or removes.
select packed_through, linked_through, generation, next_segment, events, last_story_touch, has_post_ids, hash_key
from timeline_state
where app_number = $1
for no key update
