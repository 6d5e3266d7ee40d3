-- Views over activity_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.activity_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
    figures_period.starts_at,
    figures.active,
    figures.new_people,
    figures.returning_people,
    figures.resurrected_people,
    figures.dormant_people,
    figures.active_7d,
    figures.active_30d,
    figures.stickiness
from activity_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = '{period}';

comment on view bi.activity_by_{period} is
    'How many people are active in the {period}: the report activity with --period {period}. No row: nobody was.';
comment on column bi.activity_by_{period}.app_id is 'The app.';
comment on column bi.activity_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.activity_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.activity_by_{period}.active is
    'People who did something in the {period}: new, returning and resurrected ones. People of {period}s must not be summed{recount}.';
comment on column bi.activity_by_{period}.new_people is
    'Those of them whose first activity ever lies in the {period}. New people may be summed.';
comment on column bi.activity_by_{period}.returning_people is 'Those who were active in the {period} before, too.';
comment on column bi.activity_by_{period}.resurrected_people is
    'Those who were active before, but not in the {period} before.';
comment on column bi.activity_by_{period}.dormant_people is
    'People who were active in the {period} before, and not in this one.';
comment on column bi.activity_by_{period}.active_7d is
    'People who were active in the 7 days that end with the {period}. Null until the app has so many days.';
comment on column bi.activity_by_{period}.active_30d is
    'People who were active in the 30 days that end with the {period}. Null until the app has so many days.';
comment on column bi.activity_by_{period}.stickiness is
    'active ÷ active_30d, by day alone, a part of a whole, 6 decimals; null where there is nothing to divide by.';
