-- The installs of one app from devices that had installs of several people (docs/reports.md, *Doubtful installs*), with
-- a number of the device.
--
-- Most devices had one install. The index alone tells which had more, and only these events are read. The times find
-- the month of an event, so that not each month is asked for each device.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.limit    how many are returned at most
with device as materialized (
    select
        device_id,
        min(occurred_at) as first_at,
        max(occurred_at) as last_at
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and type = 'install'
        and device_id is not null
    group by device_id
    having count(*) > 1
),
install as not materialized (
    select
        event.event_id,
        event.user_id,
        event.device_id,
        event.click_id
    from device
    join event
        on event.app_number = current_setting('tributary.app_number')::integer
        and event.type = 'install'
        and event.device_id = device.device_id
        and event.occurred_at between device.first_at and device.last_at
    where event.test_traffic is not true
),
owned as not materialized (
    select
        install.event_id,
        install.device_id,
        event_person(
            install.user_id,
            device.user_id,
            install.device_id,
            click_owner(click.user_id, click_device.user_id, click.device_id),
            install.click_id
        ) as person
    from install
    --include owner_joins event=install
),
shared as not materialized (
    select
        event_id,
        device_id,
        min(person) over (partition by device_id) <> max(person) over (partition by device_id) as has_several
    from owned
)
select
    event_id,
    dense_rank() over (order by device_id) as device
from shared
where has_several
limit current_setting('tributary.limit')::bigint
