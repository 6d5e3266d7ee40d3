-- Forgets the devices and clicks of people who have no event of a webhook any more that is not settled. $1 the app, $2
-- the webhook.
--
-- It steps from person to person by the index, because one may have thousands of keys. The events are looked up as in
-- `mark_stale.sql`.
with recursive person as (
    select min(person) as person
    from webhook_person_key
    where app_number = $1
    union all
    select (
        select min(later.person)
        from webhook_person_key as later
        where later.app_number = $1
            and later.person > person.person
    )
    from person
    where person.person is not null
)
delete from webhook_person_key
where app_number = $1
    and webhook_id = $2
    and person = any (
        array(
            select person.person
            from person
            left join lateral (
                select event_id
                from webhook_event
                where keys @> array[person.person]
                    and app_number + 0 = $1
                    --citus and app_number = $1
                    and webhook_id || '' = $2
                    and not is_settled
                limit 1
            ) as event on true
            where person.person is not null
                and event.event_id is null
        )
    )
