-- The apps that have come here from the database $1: their numbers there and here.
select source_app_number, app_number
from app_arrival
where source = $1::text::uuid
    and arrived_at is not null
