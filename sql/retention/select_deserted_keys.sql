-- Finds keys of people whom no event of transactions from $2 on names by any of their keys. $1 the app, $3 the keys, $4
-- the person of each key. Returns the places of the found keys in $3, from 1.
with orphan as (
    select key, person, place
    from unnest($3::text[], $4::text[]) with ordinality as orphan (key, person, place)
),
stored as materialized (
    select user_id, device_id, click_id
    from event
    -- `+ 0` keeps the planner from using the index by app and time instead of that by transaction (`delta.sql`).
    where app_number + 0 = $1
    --citus where app_number = $1
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
-- Not "not in", which compares every row with every other if the planner expects many rows.
where not exists (
    select
    from back
    where back.person = orphan.person
)
