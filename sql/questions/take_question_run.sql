-- Takes the run that has been due for the longest at $1, of an app that is not one of $3. Whoever takes it has it until
-- $2: if the program dies, another one takes it then. Runs of deleted questions wait until they are restored, those of
-- apps that move to another database for good.
update question_run
set attempts = attempts + 1,
    due_at = $2
where (schedule_number, period_start, period_end) in (
    select schedule_number, period_start, period_end
    from question_run
    join question_schedule using (schedule_number)
    join question using (question_number)
    where due_at <= $1
        and question_run.app_number <> all ($3::bigint[])
        and question_run.app_number <> all (array(select app_number from app_departure where barred_at is not null))
        and question.deleted_at is null
    order by due_at
    limit 1
    for update of question_run skip locked
)
returning schedule_number, app_number, period_start::text, period_end::text, attempts
