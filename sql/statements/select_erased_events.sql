-- Finds the events of a group whose person has been erased since their receipt. Returns their places, from 1.
-- For every event: $1 app number, $2 user, $3 device, $4 click, $5 time of receipt.
select place
from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
    with ordinality as event (app_number, user_id, device_id, click_id, received_at, place)
where is_erased(app_number, user_id, device_id, click_id, received_at)
