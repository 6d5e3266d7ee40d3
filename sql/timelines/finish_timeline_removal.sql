-- Counts the packed events of the app $1 anew, and takes the numbers of the segments that a removal has written: those before $2.
update timeline_state
set next_segment = $2,
    events = (
        select coalesce(sum(segment.events), 0)
        from timeline_segment as segment
        where segment.app_number = timeline_state.app_number
            and segment.generation = timeline_state.generation
    )
where app_number = $1
