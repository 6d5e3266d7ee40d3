-- The devices and clicks of some people of an app, and whose they are. $1 the app; $2 and $3 the users and the devices
-- that people are named by.
with device as materialized (
    select device_id, user_id
    from device_link
    where app_number = $1
        and user_id = any ($2::text[])
)
select 'd' || device_id as key, 'u' || user_id as person
from device
union all
select 'c' || click_id, 'u' || user_id
from click_link
where app_number = $1
    and user_id = any ($2::text[])
union all
select 'c' || click.click_id, coalesce('u' || device.user_id, 'd' || click.device_id)
from click_link as click
left join device using (device_id)
where click.app_number = $1
    and click.user_id is null
    and click.device_id = any ($3::text[] || (select coalesce(array_agg(device_id), '{}') from device))
