-- Marks a question as deleted. $1 app number, $2 name.
update question
set deleted_at = now()
where app_number = $1
    and name = $2
    and deleted_at is null
