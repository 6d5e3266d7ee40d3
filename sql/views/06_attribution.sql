-- Views over attribution_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.attribution_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
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
where figures.granularity = '{period}'
    and not figures.is_total;

comment on view bi.attribution_by_{period} is
    'What touches brought by {period}, by five models of credit: the report attribution, without its rows "total".';
comment on column bi.attribution_by_{period}.app_id is 'The app.';
comment on column bi.attribution_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.attribution_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.attribution_by_{period}.event is 'What is credited: install or conversion.';
comment on column bi.attribution_by_{period}.model is
    'last, first, linear, position or decay. Choose one: each shares out the same events.';
comment on column bi.attribution_by_{period}.grouping is 'channel or ref. Choose one: both are about the same events.';
comment on column bi.attribution_by_{period}.group_name is
    'The channel or ref; (none): touches without a ref; direct: no touch in the 7 days before.';
comment on column bi.attribution_by_{period}.credits is
    'Its credits. Those of an event sum to 1, so that over all groups they sum to the events.';
comment on column bi.attribution_by_{period}.share is
    'credits ÷ all credits of the {period}, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.attribution_by_{period}.value is
    'Each conversion''s value, shared as its credit is; the app''s currency. Null for installs.';
