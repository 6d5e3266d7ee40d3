-- The events of one person of the app $1, each found by an index: those of the users $2, the devices $3 and the clicks
-- $4.
select event.*
from event
where app_number = $1
    and user_id = any ($2::text[])
union all
select event.*
from event
where app_number = $1
    and user_id is null
    and device_id = any ($3::text[])
union all
select event.*
from event
where app_number = $1
    and user_id is null
    and device_id is null
    and click_id = any ($4::text[])
