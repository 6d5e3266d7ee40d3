-- The people of some events, whose ids a list of people shows (docs/reports.md, *The people behind a figure*): `u`, `d`
-- or `c`, then the id, as in `timelines.sql`.
--
-- $1 the app, $2 the times of the events, $3 their ids.
select
    listed.position,
    event_person(
        event.user_id,
        (
            select device.user_id
            from device_link as device
            where device.app_number = $1
                and device.device_id = event.device_id
        ),
        event.device_id,
        (
            select click_owner(
                click.user_id,
                (
                    select device.user_id
                    from device_link as device
                    where device.app_number = $1
                        and device.device_id = click.device_id
                ),
                click.device_id
            )
            from click_link as click
            where click.app_number = $1
                and click.click_id = event.click_id
        ),
        event.click_id
    ) as person
from unnest($2::text[]::timestamptz[], $3::text[]::uuid[])
    with ordinality as listed (occurred_at, event_id, position)
-- With "limit", each is looked up by its index. In a plain join on tables that have not been analyzed yet, the planner
-- would go through all events for each.
cross join lateral (
    select
        found.user_id,
        found.device_id,
        found.click_id
    from event as found
    where found.app_number = $1
        and found.occurred_at = listed.occurred_at
        and found.event_id = listed.event_id
    limit 1
) as event
