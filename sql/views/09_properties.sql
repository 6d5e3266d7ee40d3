-- Views over property_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.properties_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
    figures_period.starts_at,
    figures.property,
    figures.group_name,
    figures.touches,
    figures.people,
    figures.authenticated_touches,
    figures.installs,
    figures.conversions,
    figures.paying_people,
    figures.value,
    figures.share
from property_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = '{period}'
    and not figures.is_total;

comment on view bi.properties_by_{period} is
    'Touches by {period} and what they or their devices say: the report breakdown, without its row "total".';
comment on column bi.properties_by_{period}.app_id is 'The app.';
comment on column bi.properties_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.properties_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.properties_by_{period}.property is
    'app_version, country, language, or a property of touches or people that the app has declared. Choose one: each is about the same touches.';
comment on column bi.properties_by_{period}.group_name is
    'The value; (none): no value; (others): all values without a row of their own; direct: installs and conversions that no touch is credited with; they have properties of people, so there it has none.';
comment on column bi.properties_by_{period}.touches is 'Touches with the value. They add up over values and over time.';
comment on column bi.properties_by_{period}.people is
    'Distinct people of these touches. People of {period}s must not be summed{recount}.';
comment on column bi.properties_by_{period}.authenticated_touches is 'Touches that carried a login.';
comment on column bi.properties_by_{period}.installs is
    'Installs credited to the last touch of the 7 days before. They add up.';
comment on column bi.properties_by_{period}.conversions is 'Conversions credited likewise. They add up.';
comment on column bi.properties_by_{period}.paying_people is
    'Distinct people with one of these conversions that is worth something. Not to be summed either.';
comment on column bi.properties_by_{period}.value is 'What these conversions were worth, in the app''s currency. It adds up.';
comment on column bi.properties_by_{period}.share is
    'touches ÷ all touches of the {period}, a part of a whole, 6 decimals; null where there is nothing to divide by.';
