-- Who installed from the devices of some installs: people, as `event_person` names them, and whether each of them had
-- installed in the 90 days before (docs/attributions.md, *Doubt*).
--
-- $1 the app; $2 the installs' numbers, $3 their times, $4 their ids, $5 and $6 the first and the last of these times.
-- $7 how many installs from one device are looked at, those nearest before an install and those nearest after it. Days
-- are 24 hours, whatever the session's time zone.
select number, person, bool_or(is_before)
from (
    select
        installed.number,
        event_person(other.user_id, device.user_id, own.device_id, null, null) as person,
        other.occurred_at < installed.occurred_at
            and other.occurred_at >= installed.occurred_at - interval '2160 hours' as is_before
    from (
        -- Citus cannot send `unnest` of several arrays from a subquery.
        select
            unnest($2::text[]::integer[]) as number,
            unnest($3::text[]::timestamptz[]) as occurred_at,
            unnest($4::text[]::uuid[]) as event_id
    ) as installed
    cross join lateral (
        select device_id
        from event
        where app_number = $1
            and occurred_at between $5 and $6
            and occurred_at = installed.occurred_at
            and event_id = installed.event_id
            and device_id is not null
        offset 0
    ) as own
    cross join lateral (
        (
            select occurred_at, user_id
            from event
            where app_number = $1
                and type = 'install'
                and device_id is not null
                and device_id = own.device_id
                and occurred_at < installed.occurred_at
                and test_traffic is not true
            order by occurred_at desc
            limit $7
        )
        union all
        (
            select occurred_at, user_id
            from event
            where app_number = $1
                and type = 'install'
                and device_id is not null
                and device_id = own.device_id
                and occurred_at >= installed.occurred_at
                and test_traffic is not true
            order by occurred_at
            limit $7
        )
    ) as other
    left join lateral (
        select user_id
        from device_link
        where app_number = $1
            and device_id = own.device_id
        offset 0
    ) as device on true
) as installer
group by number, person
