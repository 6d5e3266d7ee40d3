-- $1 app number, $2 name.
delete from question
where app_number = $1
    and name = $2
