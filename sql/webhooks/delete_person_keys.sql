-- Forgets the devices and clicks of people who have no event of a webhook any more that is not settled. $1 the app, $2
-- the webhook, $3 the people who may be such: an event of theirs was settled, or is another person's now. The events are
-- looked up as in `mark_stale.sql`.
delete from webhook_person_key
where app_number = $1
    and webhook_id = $2
    and person = any (
        array(
            select person.key
            from unnest($3::text[]) as person (key)
            cross join lateral (
                select
                from webhook_person_key as known
                where known.app_number = $1
                    and known.webhook_id = $2
                    and known.person = person.key
                limit 1
            ) as crowd
            left join lateral (
                select event_id
                from webhook_event
                where keys @> array[person.key]
                    and app_number + 0 = $1
                    --citus and app_number = $1
                    and webhook_id || '' = $2
                    and not is_settled
                limit 1
            ) as event on true
            where event.event_id is null
        )
    )
