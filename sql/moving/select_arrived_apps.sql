-- The apps that have come here from the database $1, perhaps by way of others: their numbers there and here. One that
-- has come again has the latest number.
select
    number,
    max(app_number)
from app_origin
where database = $1::text::uuid
group by number
