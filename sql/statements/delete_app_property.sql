-- Takes back the declaration of the property $2 of the app $1. Returns its kind.
delete from app_property
where app_number = $1
    and name = $2
returning kind
