-- Keys whose person has changed since segments were packed, and whose they are now: $1 the app, $2 the transaction from
-- which on.
with changed_device as (
    select device_id, user_id
    from device_link
    where app_number = $1 and transaction_number >= $2
),
changed as (
    select 'd' || device_id as key, 'u' || user_id as person
    from changed_device
    union
    select
        'c' || click.click_id,
        coalesce(
            'u' || click.user_id,
            (
                select 'u' || device.user_id
                from device_link as device
                where device.app_number = click.app_number and device.device_id = click.device_id
            ),
            'd' || click.device_id
        )
    from click_link as click
    where click.app_number = $1 and click.transaction_number >= $2
    union
    select 'c' || click.click_id, 'u' || changed_device.user_id
    from changed_device
    join click_link as click
        on click.app_number = $1
        and click.device_id = changed_device.device_id
        and click.user_id is null
)
select key, hashtextextended(key, 0), person, hashtextextended(person, 0)
from changed
