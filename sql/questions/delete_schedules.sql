-- Deletes schedules of a question. $1 app number, $2 the question's name, $3 whether those that watch, $4 the target
-- (null: any), $5 the watched column (null: any), $6 the watched row (null: any).
delete from question_schedule
using question
where question.question_number = question_schedule.question_number
    and question.deleted_at is null
    and question.app_number = $1
    and question.name = $2
    and (watch_column is not null) = $3::boolean
    and ($4::text is null or target = $4)
    and ($5::text is null or watch_column = $5)
    and ($6::text is null or watch_row = $6)
returning schedule_number
