-- Deletes the oldest runs of a schedule ($1) beyond $2.
delete from question_run
where schedule_number = $1
    and period_start in (
        select period_start
        from question_run
        where schedule_number = $1
        order by period_start desc
        offset $2
    )
