-- Keys whose link has changed since the segments were written, with their person now. A key may appear twice.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.linked_from    links of transactions from this one on are new
with changed_device as (
    select device_id, user_id
    from device_link
    where app_number = current_setting('tributary.app_number')::integer
        and transaction_number >= current_setting('tributary.linked_from')::bigint
),
changed as (
    select 'd' || device_id as key, 'u' || user_id as person
    from changed_device
    union all
    select
        'c' || click.click_id,
        click_owner(
            click.user_id,
            (
                select device.user_id
                from device_link as device
                where device.app_number = current_setting('tributary.app_number')::integer
                    and device.device_id = click.device_id
            ),
            click.device_id
        )
    from click_link as click
    where click.app_number = current_setting('tributary.app_number')::integer
        and click.transaction_number >= current_setting('tributary.linked_from')::bigint
    union all
    select 'c' || click.click_id, 'u' || changed_device.user_id
    from changed_device
    -- One look-up for each device: few devices of an app have changed, and most of them have no click.
    cross join lateral (
        select link.click_id
        from click_link as link
        where link.app_number = current_setting('tributary.app_number')::integer
            and link.device_id = changed_device.device_id
            and link.user_id is null
        offset 0
    ) as click
)
select hashtextextended(key, 0), key, hashtextextended(person, 0), person
from changed
