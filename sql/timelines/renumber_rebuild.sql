-- Gives the rebuild $3 of the app $1 the number $2.
update timeline_rebuild
set generation = $2
where app_number = $1
    and generation = $3
