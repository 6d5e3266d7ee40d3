-- Views over attribution_figures.

create view bi.attribution_by_day as
select
    app.app_id,
    figures.starts_on as day,
    figures_period.starts_at,
    figures.event,
    figures.model,
    figures.grouping,
    figures.group_name,
    figures.credits,
    figures.share,
    figures.value
from attribution_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'day'
    and not figures.is_total;

comment on view bi.attribution_by_day is
    'What touches brought by day, by five models of credit: the report attribution, without its rows "total".';
comment on column bi.attribution_by_day.app_id is 'The app.';
comment on column bi.attribution_by_day.day is 'The day. In the app''s time zone.';
comment on column bi.attribution_by_day.starts_at is 'The instant at which the day begins in that zone: for time axes.';
comment on column bi.attribution_by_day.event is 'What is credited: install or conversion.';
comment on column bi.attribution_by_day.model is
    'last, first, linear, position or decay. Choose one: each shares out the same events.';
comment on column bi.attribution_by_day.grouping is 'channel or ref. Choose one: both are about the same events.';
comment on column bi.attribution_by_day.group_name is
    'The channel or ref; (none): touches without a ref; direct: no touch in the 7 days before.';
comment on column bi.attribution_by_day.credits is
    'Its credits. Those of an event sum to 1, so that over all groups they sum to the events.';
comment on column bi.attribution_by_day.share is
    'credits ÷ all credits of the day, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.attribution_by_day.value is 'Each event''s value, shared as its credit is; the app''s currency.';

create view bi.attribution_by_week as
select
    app.app_id,
    figures.starts_on as week,
    figures_period.starts_at,
    figures.event,
    figures.model,
    figures.grouping,
    figures.group_name,
    figures.credits,
    figures.share,
    figures.value
from attribution_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'week'
    and not figures.is_total;

comment on view bi.attribution_by_week is
    'What touches brought by week, by five models of credit: the report attribution, without its rows "total".';
comment on column bi.attribution_by_week.app_id is 'The app.';
comment on column bi.attribution_by_week.week is 'The Monday with which the week begins. In the app''s time zone.';
comment on column bi.attribution_by_week.starts_at is 'The instant at which the week begins in that zone: for time axes.';
comment on column bi.attribution_by_week.event is 'What is credited: install or conversion.';
comment on column bi.attribution_by_week.model is
    'last, first, linear, position or decay. Choose one: each shares out the same events.';
comment on column bi.attribution_by_week.grouping is 'channel or ref. Choose one: both are about the same events.';
comment on column bi.attribution_by_week.group_name is
    'The channel or ref; (none): touches without a ref; direct: no touch in the 7 days before.';
comment on column bi.attribution_by_week.credits is
    'Its credits. Those of an event sum to 1, so that over all groups they sum to the events.';
comment on column bi.attribution_by_week.share is
    'credits ÷ all credits of the week, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.attribution_by_week.value is 'Each event''s value, shared as its credit is; the app''s currency.';

create view bi.attribution_by_month as
select
    app.app_id,
    figures.starts_on as month,
    figures_period.starts_at,
    figures.event,
    figures.model,
    figures.grouping,
    figures.group_name,
    figures.credits,
    figures.share,
    figures.value
from attribution_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'month'
    and not figures.is_total;

comment on view bi.attribution_by_month is
    'What touches brought by month, by five models of credit: the report attribution, without its rows "total".';
comment on column bi.attribution_by_month.app_id is 'The app.';
comment on column bi.attribution_by_month.month is 'The first day of the month. In the app''s time zone.';
comment on column bi.attribution_by_month.starts_at is 'The instant at which the month begins in that zone: for time axes.';
comment on column bi.attribution_by_month.event is 'What is credited: install or conversion.';
comment on column bi.attribution_by_month.model is
    'last, first, linear, position or decay. Choose one: each shares out the same events.';
comment on column bi.attribution_by_month.grouping is 'channel or ref. Choose one: both are about the same events.';
comment on column bi.attribution_by_month.group_name is
    'The channel or ref; (none): touches without a ref; direct: no touch in the 7 days before.';
comment on column bi.attribution_by_month.credits is
    'Its credits. Those of an event sum to 1, so that over all groups they sum to the events.';
comment on column bi.attribution_by_month.share is
    'credits ÷ all credits of the month, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.attribution_by_month.value is 'Each event''s value, shared as its credit is; the app''s currency.';
