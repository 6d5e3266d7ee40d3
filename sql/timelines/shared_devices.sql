-- The installs of one app from devices that had installs of several people (docs/reports.md, *Doubtful installs*), with
-- a number of the device.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.limit    how many are returned at most
with install as not materialized (
    select event_id, user_id, device_id, click_id
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and type = 'install'
        and device_id is not null
        and test_traffic is not true
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
