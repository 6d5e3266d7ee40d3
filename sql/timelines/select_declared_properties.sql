-- The properties that the app $1 has declared.
select kind, value_limit, name
from app_property
where app_number = $1
order by name
