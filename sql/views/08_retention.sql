-- Views over retention_figures.

create view bi.retention_by_day as
select
    app.app_id,
    figures.starts_on as day,
    figures_period.starts_at,
    case when figures.is_total then 'all' else figures.grouping end as grouping,
    case when figures.is_total then 'all' else figures.group_name end as group_name,
    figures.period,
    figures.people,
    figures.retained,
    figures.rate,
    now() >= figures_period.ends_at + make_interval(days => (figures.period * 1)::integer) + interval '2 hours' as period_ended
from retention_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'day';

comment on view bi.retention_by_day is
    'Who comes back after the day in which they had a touch: the report retention with --cohort touch_in_range, of that day alone.';
comment on column bi.retention_by_day.app_id is 'The app.';
comment on column bi.retention_by_day.day is 'The day. In the app''s time zone.';
comment on column bi.retention_by_day.starts_at is 'The instant at which the day begins in that zone: for time axes.';
comment on column bi.retention_by_day.grouping is
    'all: everybody in one group; channel: by that of the first touch of the day. Choose one.';
comment on column bi.retention_by_day.group_name is 'The channel; all.';
comment on column bi.retention_by_day.period is 'So many days after the cohort''s own, from 1.';
comment on column bi.retention_by_day.people is
    'People with a touch in the day, the cohort. People of days must not be summed: the views by week and by month count them anew.';
comment on column bi.retention_by_day.retained is 'Those of them with any event in that period.';
comment on column bi.retention_by_day.rate is
    'retained ÷ people, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.retention_by_day.period_ended is
    'Whether that period is over. While false, more people may come back in it.';

create view bi.retention_by_week as
select
    app.app_id,
    figures.starts_on as week,
    figures_period.starts_at,
    case when figures.is_total then 'all' else figures.grouping end as grouping,
    case when figures.is_total then 'all' else figures.group_name end as group_name,
    figures.period,
    figures.people,
    figures.retained,
    figures.rate,
    now() >= figures_period.ends_at + make_interval(days => (figures.period * 7)::integer) + interval '2 hours' as period_ended
from retention_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'week';

comment on view bi.retention_by_week is
    'Who comes back after the week in which they had a touch: the report retention with --cohort touch_in_range, of that week alone.';
comment on column bi.retention_by_week.app_id is 'The app.';
comment on column bi.retention_by_week.week is 'The Monday with which the week begins. In the app''s time zone.';
comment on column bi.retention_by_week.starts_at is 'The instant at which the week begins in that zone: for time axes.';
comment on column bi.retention_by_week.grouping is
    'all: everybody in one group; channel: by that of the first touch of the week. Choose one.';
comment on column bi.retention_by_week.group_name is 'The channel; all.';
comment on column bi.retention_by_week.period is 'So many weeks after the cohort''s own, from 1.';
comment on column bi.retention_by_week.people is
    'People with a touch in the week, the cohort. People of weeks must not be summed.';
comment on column bi.retention_by_week.retained is 'Those of them with any event in that period.';
comment on column bi.retention_by_week.rate is
    'retained ÷ people, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.retention_by_week.period_ended is
    'Whether that period is over. While false, more people may come back in it.';
