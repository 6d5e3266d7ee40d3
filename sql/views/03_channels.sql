-- Views over channel_figures.

create view bi.channels_by_day as
select
    app.app_id,
    figures.starts_on as day,
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
where figures.granularity = 'day'
    and not figures.is_total;

comment on view bi.channels_by_day is
    'Ways in by day: the report channels, without its row "total", so that counts add up. Distinct people do not.';
comment on column bi.channels_by_day.app_id is 'The app.';
comment on column bi.channels_by_day.day is 'The day. In the app''s time zone.';
comment on column bi.channels_by_day.starts_at is 'The instant at which the day begins in that zone: for time axes.';
comment on column bi.channels_by_day.channel is
    'search, bookmarks, requests, story_attribution, story_links, other, unattributed; direct: installs and conversions that no touch is credited with.';
comment on column bi.channels_by_day.touches is 'Touches of the channel. They add up over channels and over time.';
comment on column bi.channels_by_day.people is
    'Distinct people of these touches. People of days must not be summed: the views by week and by month count them anew.';
comment on column bi.channels_by_day.authenticated_touches is 'Touches that carried a login.';
comment on column bi.channels_by_day.installs is
    'Installs credited to the last touch of the 7 days before. They add up.';
comment on column bi.channels_by_day.conversions is 'Conversions credited likewise. They add up.';
comment on column bi.channels_by_day.value is 'What these conversions were worth, in the app''s currency. It adds up.';

create view bi.channels_by_week as
select
    app.app_id,
    figures.starts_on as week,
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
where figures.granularity = 'week'
    and not figures.is_total;

comment on view bi.channels_by_week is
    'Ways in by week: the report channels, without its row "total", so that counts add up. Distinct people do not.';
comment on column bi.channels_by_week.app_id is 'The app.';
comment on column bi.channels_by_week.week is 'The Monday with which the week begins. In the app''s time zone.';
comment on column bi.channels_by_week.starts_at is 'The instant at which the week begins in that zone: for time axes.';
comment on column bi.channels_by_week.channel is
    'search, bookmarks, requests, story_attribution, story_links, other, unattributed; direct: installs and conversions that no touch is credited with.';
comment on column bi.channels_by_week.touches is 'Touches of the channel. They add up over channels and over time.';
comment on column bi.channels_by_week.people is 'Distinct people of these touches. People of weeks must not be summed.';
comment on column bi.channels_by_week.authenticated_touches is 'Touches that carried a login.';
comment on column bi.channels_by_week.installs is
    'Installs credited to the last touch of the 7 days before. They add up.';
comment on column bi.channels_by_week.conversions is 'Conversions credited likewise. They add up.';
comment on column bi.channels_by_week.value is 'What these conversions were worth, in the app''s currency. It adds up.';

create view bi.channels_by_month as
select
    app.app_id,
    figures.starts_on as month,
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
where figures.granularity = 'month'
    and not figures.is_total;

comment on view bi.channels_by_month is
    'Ways in by month: the report channels, without its row "total", so that counts add up. Distinct people do not.';
comment on column bi.channels_by_month.app_id is 'The app.';
comment on column bi.channels_by_month.month is 'The first day of the month. In the app''s time zone.';
comment on column bi.channels_by_month.starts_at is 'The instant at which the month begins in that zone: for time axes.';
comment on column bi.channels_by_month.channel is
    'search, bookmarks, requests, story_attribution, story_links, other, unattributed; direct: installs and conversions that no touch is credited with.';
comment on column bi.channels_by_month.touches is 'Touches of the channel. They add up over channels and over time.';
comment on column bi.channels_by_month.people is
    'Distinct people of these touches. People of months must not be summed.';
comment on column bi.channels_by_month.authenticated_touches is 'Touches that carried a login.';
comment on column bi.channels_by_month.installs is
    'Installs credited to the last touch of the 7 days before. They add up.';
comment on column bi.channels_by_month.conversions is 'Conversions credited likewise. They add up.';
comment on column bi.channels_by_month.value is
    'What these conversions were worth, in the app''s currency. It adds up.';
