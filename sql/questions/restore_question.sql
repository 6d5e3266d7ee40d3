-- Restores a deleted question, unless the app has $3 questions. $1 app number, $2 the question's number.
update question
set deleted_at = null
where app_number = $1
    and question_number = $2
    and deleted_at is not null
    and (select count(*) from question as other where other.app_number = $1 and other.deleted_at is null) < $3
returning name, report, parameter_names, parameter_values, created_at, updated_at
