-- Forgets the changed stories of the app $1 that its segments know: those noted by transactions before $2. Not while events are
-- being removed, nor if any were since the revision $3: their posts were still there when the segments were written.
delete from changed_story
where app_number = $1
    and transaction_number < $2
    and exists (
        select
        from timeline_state
        where app_number = $1
            and revision = $3
            and removing_before is null
    )
