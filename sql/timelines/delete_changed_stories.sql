-- Deletes the changed stories of the app $1 that its segments have applied: those that were noted by transactions
-- before $2. Does nothing while events are being removed, or if any were removed since the revision $3: the segments
-- were written when the posts of those events were still there.
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
