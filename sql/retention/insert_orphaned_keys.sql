-- Notes people of an app ($1) who have no events left, among those with a link from before $2: their devices and clicks
-- with the person, and the link that events of other people give each: a user or a device, and the precedence, the time
-- and the id of the event that gives it.
insert into orphaned_key (key, person, user_id, device_id, precedence, occurred_at, event_id)
with old_person as materialized (
    select 'u' || user_id as person
    from device_link
    where app_number = $1
        and occurred_at < $2
    union
    select click_owner(click_link.user_id, device_link.user_id, click_link.device_id)
    from click_link
    left join device_link
        on click_link.user_id is null
        and device_link.app_number = $1
        and device_link.device_id = click_link.device_id
    where click_link.app_number = $1
        and click_link.occurred_at < $2
),
person_key as materialized (
    select person, person as key
    from old_person
    union all
    select 'u' || user_id, 'd' || device_id
    from device_link
    where app_number = $1
        and 'u' || user_id in (select person from old_person)
    union all
    select person, 'c' || click_id
    from (
        select
            click_link.click_id,
            click_owner(click_link.user_id, device_link.user_id, click_link.device_id) as person
        from click_link
        left join device_link
            on click_link.user_id is null
            and device_link.app_number = $1
            and device_link.device_id = click_link.device_id
        where click_link.app_number = $1
    ) as click
    where person in (select person from old_person)
),
living as materialized (
    select distinct person_key.person
    from (
        select event_owner(user_id, device_id, click_id) as key
        from event
        where app_number = $1
    ) as stored
    join person_key using (key)
),
orphan as materialized (
    select key, person
    from person_key
    where person not in (select person from living)
        and (key like 'd%' or key like 'c%')
),
named as (
    select 'd' || device_id as key, user_id, null as device_id, 0 as precedence, occurred_at, event_id
    from event
    where app_number = $1
        and device_id is not null
        and user_id is not null
    union all
    select
        'c' || click_id,
        user_id,
        case when user_id is null then device_id end,
        (type <> 'install')::integer,
        occurred_at,
        event_id
    from event
    where app_number = $1
        and click_id is not null
        and (user_id is not null or device_id is not null)
),
said as (
    select distinct on (key) named.*
    from named
    join orphan using (key)
    order by key, precedence, occurred_at, event_id
)
select orphan.key, orphan.person, said.user_id, said.device_id, said.precedence, said.occurred_at, said.event_id
from orphan
left join said using (key)
order by orphan.person, orphan.key
