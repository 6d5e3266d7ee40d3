-- The questions of an app ($1 its number), or the one of a name ($2), by name.
select name, report, parameter_names, parameter_values, created_at, updated_at
from question
where app_number = $1
    and deleted_at is null
    and ($2::text is null or name = $2)
order by name
