-- Drops the segments of the app $1, because they may hold events that have been deleted. Reports then read the table of
-- events until the app is packed again. With $2, only if a removal was interrupted.
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
    where changed_story.app_number = $1
        and changed_story.app_number = forgotten.app_number
)
delete from timeline_segment
using forgotten
where timeline_segment.app_number = $1
    and timeline_segment.app_number = forgotten.app_number
