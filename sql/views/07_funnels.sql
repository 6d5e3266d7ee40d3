-- Views over funnel_figures.

create view bi.funnels_by_day as
select
    app.app_id,
    figures.starts_on as day,
    figures_period.starts_at,
    figures.funnel,
    case when figures.is_total then 'all' else figures.grouping end as grouping,
    case when figures.is_total then 'all' else figures.group_name end as group_name,
    figures.step,
    figures.step_name,
    figures.people,
    figures.rate_from_first,
    figures.rate_from_previous,
    figures.ci_low,
    figures.ci_high,
    figures.median_seconds,
    figures.unknown_times,
    now() > figures_period.ends_at + interval '7 days' as window_ended
from funnel_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'day'
    and (not figures.is_total or figures.grouping = 'channel');

comment on view bi.funnels_by_day is
    'People through funnels, by the day in which they started: the reports funnel and installs.';
comment on column bi.funnels_by_day.app_id is 'The app.';
comment on column bi.funnels_by_day.day is 'The day. In the app''s time zone.';
comment on column bi.funnels_by_day.starts_at is 'The instant at which the day begins in that zone: for time axes.';
comment on column bi.funnels_by_day.funnel is
    'funnel: inbound_link, authentication, conversion; installs: tap, install, authentication, conversion.';
comment on column bi.funnels_by_day.grouping is
    'all: everybody in one group; channel, ref: by that of the first step. Choose one.';
comment on column bi.funnels_by_day.group_name is 'The channel or ref; (none): no ref; all.';
comment on column bi.funnels_by_day.step is 'The step''s number, from 1.';
comment on column bi.funnels_by_day.step_name is 'What the step is.';
comment on column bi.funnels_by_day.people is
    'People who started in the day and reached the step within 7 days. People of days must not be summed: the views by week and by month count them anew.';
comment on column bi.funnels_by_day.rate_from_first is
    'people ÷ people of step 1, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.funnels_by_day.rate_from_previous is
    'people ÷ people of the step before, a part of a whole, 6 decimals; null where there is nothing to divide by; null for step 1.';
comment on column bi.funnels_by_day.ci_low is 'Lower end of the Wilson 95 % interval of rate_from_first.';
comment on column bi.funnels_by_day.ci_high is 'Upper end of it.';
comment on column bi.funnels_by_day.median_seconds is
    'Half of those who reached the step, and whose time is known, did so within this time of their start.';
comment on column bi.funnels_by_day.unknown_times is
    'People who reached the step after a time that nobody knows: a deferred link does not say when it was tapped.';
comment on column bi.funnels_by_day.window_ended is
    'Whether everybody''s 7 days are over. While false, people may still go on to later steps.';

create view bi.funnels_by_week as
select
    app.app_id,
    figures.starts_on as week,
    figures_period.starts_at,
    figures.funnel,
    case when figures.is_total then 'all' else figures.grouping end as grouping,
    case when figures.is_total then 'all' else figures.group_name end as group_name,
    figures.step,
    figures.step_name,
    figures.people,
    figures.rate_from_first,
    figures.rate_from_previous,
    figures.ci_low,
    figures.ci_high,
    figures.median_seconds,
    figures.unknown_times,
    now() > figures_period.ends_at + interval '7 days' as window_ended
from funnel_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'week'
    and (not figures.is_total or figures.grouping = 'channel');

comment on view bi.funnels_by_week is
    'People through funnels, by the week in which they started: the reports funnel and installs.';
comment on column bi.funnels_by_week.app_id is 'The app.';
comment on column bi.funnels_by_week.week is 'The Monday with which the week begins. In the app''s time zone.';
comment on column bi.funnels_by_week.starts_at is 'The instant at which the week begins in that zone: for time axes.';
comment on column bi.funnels_by_week.funnel is
    'funnel: inbound_link, authentication, conversion; installs: tap, install, authentication, conversion.';
comment on column bi.funnels_by_week.grouping is
    'all: everybody in one group; channel, ref: by that of the first step. Choose one.';
comment on column bi.funnels_by_week.group_name is 'The channel or ref; (none): no ref; all.';
comment on column bi.funnels_by_week.step is 'The step''s number, from 1.';
comment on column bi.funnels_by_week.step_name is 'What the step is.';
comment on column bi.funnels_by_week.people is
    'People who started in the week and reached the step within 7 days. People of weeks must not be summed.';
comment on column bi.funnels_by_week.rate_from_first is
    'people ÷ people of step 1, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.funnels_by_week.rate_from_previous is
    'people ÷ people of the step before, a part of a whole, 6 decimals; null where there is nothing to divide by; null for step 1.';
comment on column bi.funnels_by_week.ci_low is 'Lower end of the Wilson 95 % interval of rate_from_first.';
comment on column bi.funnels_by_week.ci_high is 'Upper end of it.';
comment on column bi.funnels_by_week.median_seconds is
    'Half of those who reached the step, and whose time is known, did so within this time of their start.';
comment on column bi.funnels_by_week.unknown_times is
    'People who reached the step after a time that nobody knows: a deferred link does not say when it was tapped.';
comment on column bi.funnels_by_week.window_ended is
    'Whether everybody''s 7 days are over. While false, people may still go on to later steps.';

create view bi.funnels_by_month as
select
    app.app_id,
    figures.starts_on as month,
    figures_period.starts_at,
    figures.funnel,
    case when figures.is_total then 'all' else figures.grouping end as grouping,
    case when figures.is_total then 'all' else figures.group_name end as group_name,
    figures.step,
    figures.step_name,
    figures.people,
    figures.rate_from_first,
    figures.rate_from_previous,
    figures.ci_low,
    figures.ci_high,
    figures.median_seconds,
    figures.unknown_times,
    now() > figures_period.ends_at + interval '7 days' as window_ended
from funnel_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'month'
    and (not figures.is_total or figures.grouping = 'channel');

comment on view bi.funnels_by_month is
    'People through funnels, by the month in which they started: the reports funnel and installs.';
comment on column bi.funnels_by_month.app_id is 'The app.';
comment on column bi.funnels_by_month.month is 'The first day of the month. In the app''s time zone.';
comment on column bi.funnels_by_month.starts_at is 'The instant at which the month begins in that zone: for time axes.';
comment on column bi.funnels_by_month.funnel is
    'funnel: inbound_link, authentication, conversion; installs: tap, install, authentication, conversion.';
comment on column bi.funnels_by_month.grouping is
    'all: everybody in one group; channel, ref: by that of the first step. Choose one.';
comment on column bi.funnels_by_month.group_name is 'The channel or ref; (none): no ref; all.';
comment on column bi.funnels_by_month.step is 'The step''s number, from 1.';
comment on column bi.funnels_by_month.step_name is 'What the step is.';
comment on column bi.funnels_by_month.people is
    'People who started in the month and reached the step within 7 days. People of months must not be summed.';
comment on column bi.funnels_by_month.rate_from_first is
    'people ÷ people of step 1, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.funnels_by_month.rate_from_previous is
    'people ÷ people of the step before, a part of a whole, 6 decimals; null where there is nothing to divide by; null for step 1.';
comment on column bi.funnels_by_month.ci_low is 'Lower end of the Wilson 95 % interval of rate_from_first.';
comment on column bi.funnels_by_month.ci_high is 'Upper end of it.';
comment on column bi.funnels_by_month.median_seconds is
    'Half of those who reached the step, and whose time is known, did so within this time of their start.';
comment on column bi.funnels_by_month.unknown_times is
    'People who reached the step after a time that nobody knows: a deferred link does not say when it was tapped.';
comment on column bi.funnels_by_month.window_ended is
    'Whether everybody''s 7 days are over. While false, people may still go on to later steps.';
