-- The timelines of everybody in `changed_people.sql`: the rows of `sql/reports/timelines.sql`, and one row for each of them
-- that names the person and no event, so that whoever has none left is told of too.
--
-- It stands behind "with changed as materialized (…), timeline as (…)"; see `ChangedTimelines`.
select *
from (
    select timeline.*
    from timeline
    where coalesce(timeline.person, 'e' || timeline.event_id) in (select person from changed)
    union all
    select
        person,
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
    from changed
    where person not like 'e%'
) as told
order by hashtextextended(person, 0), person
