-- Of the keys $3 of people ($4, one for each key) of an app ($1) the places, from 1, of those of people whom no event of
-- transactions from $2 on names, by whichever key.
with orphan as (
    select key, person, place
    from unnest($3::text[], $4::text[]) with ordinality as orphan (key, person, place)
),
stored as materialized (
    select user_id, device_id, click_id
    from event
    -- By transaction: `+ 0` keeps the index of app and time away (`delta.sql`).
    where app_number + 0 = $1
        and transaction_number >= $2
),
named as materialized (
    select 'u' || user_id as key
    from stored
    where user_id is not null
    union
    select 'd' || device_id
    from stored
    where device_id is not null
    union
    select 'c' || click_id
    from stored
    where click_id is not null
),
back as materialized (
    select key as person
    from named
    union
    select orphan.person
    from orphan
    join named using (key)
)
select place
from orphan
-- Not "not in", which compares all with all where the planner expects many.
where not exists (
    select
    from back
    where back.person = orphan.person
)
