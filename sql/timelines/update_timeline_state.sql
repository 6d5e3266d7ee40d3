-- Records how far the events of the app $1 are packed now.
update timeline_state
set packed_through = $2,
    linked_through = $3,
    events = $4,
    last_story_touch = $5,
    has_post_ids = $6,
    generation = $7,
    next_segment = $8,
    properties = $9
where app_number = $1
