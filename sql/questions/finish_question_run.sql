-- Ends an attempt, unless somebody else has taken the run meanwhile. $1 schedule number, $2 the first day, $3 the
-- attempt, $4 state, $5 remark, $6 when it is tried again (null: never), $7 now, $8 the day after the last one.
update question_run
set state = $4,
    remark = $5,
    due_at = $6,
    finished_at = case when $6::timestamptz is null then $7::timestamptz end
where schedule_number = $1
    and period_start = $2::date
    and period_end = $8::date
    and attempts = $3
