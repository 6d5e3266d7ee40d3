-- The last $3 runs of an app ($1), or of its question of a name ($2), the newest first.
select
    question.name, target, watch_column, watch_row, period_start::text, period_end::text, state, attempts, due_at,
    finished_at, remark
from question_run
join question_schedule using (schedule_number)
join question using (question_number)
where question_run.app_number = $1
    and ($2::text is null or question.name = $2)
    and question.deleted_at is null
order by claimed_at desc, schedule_number desc
limit $3
