-- Devices and clicks of an app ($1) that stand for people of whom no event is left, among those that were linked before
-- $2, and these people. Reads all events of the app once.
with old_person as materialized (
    select 'u' || user_id as person
    from device_link
    where app_number = $1
        and occurred_at < $2
    union
    select coalesce('u' || click_link.user_id, 'u' || device_link.user_id, 'd' || click_link.device_id)
    from click_link
    left join device_link
        on click_link.user_id is null
        and device_link.app_number = click_link.app_number
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
            coalesce('u' || click_link.user_id, 'u' || device_link.user_id, 'd' || click_link.device_id) as person
        from click_link
        left join device_link
            on click_link.user_id is null
            and device_link.app_number = click_link.app_number
            and device_link.device_id = click_link.device_id
        where click_link.app_number = $1
    ) as click
    where person in (select person from old_person)
),
living as materialized (
    select distinct person_key.person
    from (
        select coalesce('u' || user_id, 'd' || device_id, 'c' || click_id) as key
        from event
        where app_number = $1
    ) as stored
    join person_key using (key)
)
select key, person
from person_key
where person not in (select person from living)
    and (key like 'd%' or key like 'c%')
order by person, key
