-- Which events of a group are of people who have been erased since their receipt; returns their places, from 1.
-- $1 app numbers, $2 users, $3 devices, $4 clicks, $5 times of receipt, one of each for every event.
select place
from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
    with ordinality as event (app_number, user_id, device_id, click_id, received_at, place)
where is_erased(app_number, user_id, device_id, click_id, received_at)
