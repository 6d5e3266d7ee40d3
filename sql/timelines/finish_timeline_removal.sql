-- Finishes a removal from the segments of the app $1: counts the packed events again, and notes $2 as the number of
-- the next segment.
update timeline_state
set next_segment = $2,
    events = (
        select coalesce(sum(segment.events), 0)
        from timeline_segment as segment
        where segment.app_number = $1
            and segment.generation = timeline_state.generation
    )
where app_number = $1
