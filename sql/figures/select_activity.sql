-- The hours in which anything happened that figures count, by kind. For an app whose figures are computed from nothing.
-- $1 app_number. A touch happened between `low` and `high`; see select_changes.sql.
select distinct
    'touch' as kind,
    date_trunc('hour', case
        when not (deferred or type = 'install') then occurred_at
        when clicked_at is null then occurred_at - interval '24 hours'
        else least(clicked_at, occurred_at)
    end, 'UTC') as low,
    date_trunc('hour', case when deferred or type = 'install' then least(clicked_at, occurred_at) else occurred_at end, 'UTC')
        as high
from event
where app_number = $1
    and channel is not null
    and test_traffic is not true
union
-- A click on a short link and the opens that name it are one touch, at the click.
select distinct
    'touch',
    date_trunc('hour', opened_at - interval '7 days', 'UTC'),
    date_trunc('hour', opened_at + interval '1 hour', 'UTC')
from (
    select case when deferred or type = 'install' then least(clicked_at, occurred_at) else occurred_at end as opened_at
    from event
    where app_number = $1
        and channel is not null
        and type <> 'link_click'
        and click_id is not null
        and test_traffic is not true
        and exists (select 1 from link where app_number = $1)
) as open
union
select distinct type::text, date_trunc('hour', occurred_at, 'UTC'), date_trunc('hour', occurred_at, 'UTC')
from event
where app_number = $1
    and type not in ('inbound_link', 'link_click')
    and test_traffic is not true
