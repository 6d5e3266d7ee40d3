-- The departure of an app ($1): the database that it moves to, whether it is barred, and whether it has moved.
select
    target::text,
    barred_at is not null,
    moved_at is not null
from app_departure
where app_number = $1
