-- Views over funnel_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.funnels_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
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
where figures.granularity = '{period}'
    and (not figures.is_total or figures.grouping = 'channel');

comment on view bi.funnels_by_{period} is
    'People through funnels, by the {period} in which they started: the reports funnel and installs.';
comment on column bi.funnels_by_{period}.app_id is 'The app.';
comment on column bi.funnels_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.funnels_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.funnels_by_{period}.funnel is
    'funnel: inbound_link, authentication, conversion; installs: tap, install, authentication, conversion.';
comment on column bi.funnels_by_{period}.grouping is
    'all: everybody in one group; channel, ref: by that of the first step. Choose one.';
comment on column bi.funnels_by_{period}.group_name is 'The channel or ref; (none): no ref; all.';
comment on column bi.funnels_by_{period}.step is 'The step''s number, from 1.';
comment on column bi.funnels_by_{period}.step_name is 'What the step is.';
comment on column bi.funnels_by_{period}.people is
    'People who started in the {period} and reached the step within 7 days. People of {period}s must not be summed{recount}.';
comment on column bi.funnels_by_{period}.rate_from_first is
    'people ÷ people of step 1, a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.funnels_by_{period}.rate_from_previous is
    'people ÷ people of the step before, a part of a whole, 6 decimals; null where there is nothing to divide by; null for step 1.';
comment on column bi.funnels_by_{period}.ci_low is 'Lower end of the Wilson 95 % interval of rate_from_first.';
comment on column bi.funnels_by_{period}.ci_high is 'Upper end of it.';
comment on column bi.funnels_by_{period}.median_seconds is
    'Half of those who reached the step, and whose time is known, did so within this time of their start.';
comment on column bi.funnels_by_{period}.unknown_times is
    'People who reached the step after a time that nobody knows: a deferred link does not say when it was tapped.';
comment on column bi.funnels_by_{period}.window_ended is
    'Whether everybody''s 7 days are over. While false, people may still go on to later steps.';
