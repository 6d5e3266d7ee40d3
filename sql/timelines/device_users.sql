-- The users of the devices $2 of the app $1, as people, with the keys of the devices. Fastest if the devices are
-- sorted: then neighbouring look-ups read the same pages.
select
    hashtextextended('d' || given.device_id, 0),
    'd' || given.device_id,
    hashtextextended('u' || link.user_id, 0),
    'u' || link.user_id
from unnest($2::text[]) as given (device_id)
-- With "offset 0", one look-up for each device, whatever the statistics say.
cross join lateral (
    select user_id
    from device_link
    where app_number = $1
        and device_id = given.device_id
    offset 0
) as link
