-- Forgets the devices and clicks of a person who is deleted. Events of others who have or had one of them are looked at
-- again. $1 the app, $2 the person's keys. $3, the ids of the person's events, is not needed.
with marked as (
    update webhook_event
    set is_stale = true
    where app_number = $1
        and not is_settled
        and keys && array(
            select distinct person
            from webhook_person_key
            where app_number = $1
                and key = any ($2::text[])
        )
)
delete from webhook_person_key
where app_number = $1
    and (key = any ($2::text[]) or person = any ($2::text[]))
    and $3::text[] is not null
