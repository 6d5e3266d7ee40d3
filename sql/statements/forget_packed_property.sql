-- Notes that new segments of the app $1 may lack the property $2 (`AppProperty.id`).
update timeline_state
set properties = array_remove(properties, $2)
where app_number = $1
