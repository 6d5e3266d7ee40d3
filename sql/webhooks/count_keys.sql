-- How many devices and clicks people have, each counted up to a limit, in the order of the people. $1 the app, $2 the
-- people, $3 the limit.
--
-- `lateral … offset 0` makes the planner look up each person by the indexes.
select counted.keys
from unnest($2::text[]) with ordinality as person (key, position)
cross join lateral (
    select count(*) as keys
    from (
        select
        from device_link
        where app_number = $1
            and 'u' = left(person.key, 1)
            and user_id = substr(person.key, 2)
        union all
        select
        from click_link
        where app_number = $1
            and 'u' = left(person.key, 1)
            and user_id = substr(person.key, 2)
        union all
        select
        from device_link as device
        cross join lateral (
            select
            from click_link
            where app_number = $1
                and user_id is null
                and device_id = device.device_id
            offset 0
        ) as click
        where device.app_number = $1
            and 'u' = left(person.key, 1)
            and device.user_id = substr(person.key, 2)
        union all
        select
        from click_link
        where app_number = $1
            and user_id is null
            and 'd' = left(person.key, 1)
            and device_id = substr(person.key, 2)
        limit $3
    ) as key
    offset 0
) as counted
order by person.position
