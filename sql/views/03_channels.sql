-- Views over channel_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.channels_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
    figures_period.starts_at,
    figures.channel,
    figures.touches,
    figures.people,
    figures.authenticated_touches,
    figures.installs,
    figures.conversions,
    figures.value
from channel_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = '{period}'
    and not figures.is_total;

comment on view bi.channels_by_{period} is
    'Ways in by {period}: the report channels, without its row "total", so that counts add up. Distinct people do not.';
comment on column bi.channels_by_{period}.app_id is 'The app.';
comment on column bi.channels_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.channels_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.channels_by_{period}.channel is
    'search, bookmarks, requests, story_attribution, story_links, other, unattributed; direct: installs and conversions that no touch is credited with.';
comment on column bi.channels_by_{period}.touches is 'Touches of the channel. They add up over channels and over time.';
comment on column bi.channels_by_{period}.people is
    'Distinct people of these touches. People of {period}s must not be summed{recount}.';
comment on column bi.channels_by_{period}.authenticated_touches is 'Touches that carried a login.';
comment on column bi.channels_by_{period}.installs is
    'Installs credited to the last touch of the 7 days before. They add up.';
comment on column bi.channels_by_{period}.conversions is 'Conversions credited likewise. They add up.';
comment on column bi.channels_by_{period}.value is 'What these conversions were worth, in the app''s currency. It adds up.';
