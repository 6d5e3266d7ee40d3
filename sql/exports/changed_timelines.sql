-- The timelines of all people in `changed_people.sql`: the rows of `sql/reports/timelines.sql`, and for each person one
-- row without an event, so that the export also sees people who have no events left.
--
-- `ChangedTimelines` puts "with changed as materialized (…), timeline as (…)" before it.
select *
from (
    select timeline.*
    from timeline
    where coalesce(timeline.person, 'e' || timeline.event_id) in (select person from changed)
    union all
    select
        person,
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, null, null, null, null, null, null, null, null, null, null, null, null, null
    from changed
    where person not like 'e%'
) as told
order by hashtextextended(person, 0), person
