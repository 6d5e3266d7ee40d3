-- Events of the app $1 that are gone may be in its segments: nothing of it is packed any more, and reports read its events
-- until it is packed anew. With $2 only where a removal was broken off.
with forgotten as (
    update timeline_state
    set packed_through = 0,
        linked_through = 0,
        events = 0,
        last_story_touch = '-infinity',
        has_post_ids = false,
        generation = greatest(begun_generation, generation) + 1,
        revision = revision + 1,
        removing_before = null
    where app_number = $1
        and (removing_before is not null or not $2)
    returning app_number
),
stories as (
    delete from changed_story
    using forgotten
    where changed_story.app_number = forgotten.app_number
)
delete from timeline_segment
using forgotten
where timeline_segment.app_number = forgotten.app_number
