-- Deletes a schedule ($2) of an app ($1).
delete from question_schedule
where app_number = $1
    and schedule_number = $2
