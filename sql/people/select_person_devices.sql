-- The links of an app's ($1) devices: of all devices of a user ($2; null: none), and of some more devices ($3).
select device_id, user_id, occurred_at, event_id
from device_link
where app_number = $1
    and (user_id = $2 or device_id = any ($3::text[]))
