-- Deletes the oldest runs of a schedule ($1) beyond $2.
delete from question_run
where schedule_number = $1
    and (period_start, period_end) in (
        select period_start, period_end
        from question_run
        where schedule_number = $1
        order by claimed_at desc
        offset $2
    )
