-- Views over retention_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.retention_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
    figures_period.starts_at,
    case when figures.is_total then 'all' else figures.grouping end as grouping,
    case when figures.is_total then 'all' else figures.group_name end as group_name,
    figures.period,
    figures.people,
    figures.retained,
    figures.rate,
    now() >= figures_period.ends_at + make_interval(days => (figures.period * {days})::integer) + interval '2 hours' as period_ended
from retention_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = '{period}';

comment on view bi.retention_by_{period} is
    'Who comes back after the {period} in which they had a touch: the report retention with --cohort touch_in_range, of that {period} alone.';
comment on column bi.retention_by_{period}.app_id is 'The app.';
comment on column bi.retention_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.retention_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.retention_by_{period}.grouping is
    'all: everybody in one group; channel: by that of the first touch of the {period}. Choose one.';
comment on column bi.retention_by_{period}.group_name is 'The channel; all.';
comment on column bi.retention_by_{period}.period is 'So many {period}s after the cohort''s own, from 1.';
comment on column bi.retention_by_{period}.people is
    'People with a touch in the {period}, the cohort. People of {period}s must not be summed{recount}.';
comment on column bi.retention_by_{period}.retained is 'Those of them with any event in that period.';
comment on column bi.retention_by_{period}.rate is
    'retained ÷ people, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.retention_by_{period}.period_ended is
    'Whether that period is over. While false, more people may come back in it.';
