-- The notes of an app ($1) from a day ($2; null: the first) to before another ($3; null: after the last), by day.
select note_number, day::text, text
from note
where app_number = $1
    and ($2::date is null or day >= $2)
    and ($3::date is null or day < $3)
order by day, note_number
