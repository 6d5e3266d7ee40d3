-- What a watch ($1) remembers from now on ($2).
update question_schedule
set memory = $2
where schedule_number = $1
