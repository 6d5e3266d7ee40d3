-- Takes up to $1 runs that are due at $2. Whoever takes a run has it until $3: if the program dies, another one takes
-- it then. Runs of deleted questions wait until they are restored.
update question_run
set attempts = attempts + 1,
    due_at = $3
where (schedule_number, period_start) in (
    select schedule_number, period_start
    from question_run
    join question_schedule using (schedule_number)
    join question using (question_number)
    where due_at <= $2
        and question.deleted_at is null
    order by due_at
    limit $1
    for update of question_run skip locked
)
returning schedule_number, period_start::text, period_end::text, attempts
