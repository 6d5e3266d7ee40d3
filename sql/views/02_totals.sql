-- Views over ref_figures.

create view bi.totals_by_day as
select
    app.app_id,
    figures.starts_on as day,
    figures_period.starts_at,
    figures.posts,
    figures.cancelled,
    figures.failed,
    figures.unconfirmed,
    figures.post_rate,
    figures.posters,
    figures.touches,
    figures.people,
    figures.authenticated_touches,
    figures.installs,
    figures.conversions,
    figures.value,
    figures.touches_per_post,
    figures.installs_per_poster
from ref_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'day'
    and figures.is_total;

comment on view bi.totals_by_day is
    'Everything of a day in one row: the row "total" of the report refs. No row: nothing happened.';
comment on column bi.totals_by_day.app_id is 'The app.';
comment on column bi.totals_by_day.day is 'The day. In the app''s time zone.';
comment on column bi.totals_by_day.starts_at is 'The instant at which the day begins in that zone: for time axes.';
comment on column bi.totals_by_day.posts is 'Feed posts that were posted.';
comment on column bi.totals_by_day.cancelled is 'Posts that people cancelled.';
comment on column bi.totals_by_day.failed is 'Posts that failed.';
comment on column bi.totals_by_day.unconfirmed is 'Posts of which nobody knows.';
comment on column bi.totals_by_day.post_rate is
    'posts ÷ (posts + cancelled), a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.totals_by_day.posters is
    'Distinct people with a posted story. People of days must not be summed: the views by week and by month count them anew.';
comment on column bi.totals_by_day.touches is 'Taps that opened the app or a link: inbound links and link clicks.';
comment on column bi.totals_by_day.people is
    'Distinct people of these touches. People of days must not be summed: the views by week and by month count them anew.';
comment on column bi.totals_by_day.authenticated_touches is 'Touches that carried a login.';
comment on column bi.totals_by_day.installs is 'Counted installs; a re-install within 90 days is none.';
comment on column bi.totals_by_day.conversions is 'Conversions.';
comment on column bi.totals_by_day.value is 'What they were worth, in the app''s currency.';
comment on column bi.totals_by_day.touches_per_post is
    'touches ÷ posts, of what has a ref alone.';
comment on column bi.totals_by_day.installs_per_poster is
    'installs ÷ posters, of what has a ref alone. The viral coefficient K is in the report viral.';

create view bi.totals_by_week as
select
    app.app_id,
    figures.starts_on as week,
    figures_period.starts_at,
    figures.posts,
    figures.cancelled,
    figures.failed,
    figures.unconfirmed,
    figures.post_rate,
    figures.posters,
    figures.touches,
    figures.people,
    figures.authenticated_touches,
    figures.installs,
    figures.conversions,
    figures.value,
    figures.touches_per_post,
    figures.installs_per_poster
from ref_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'week'
    and figures.is_total;

comment on view bi.totals_by_week is
    'Everything of a week in one row: the row "total" of the report refs. No row: nothing happened.';
comment on column bi.totals_by_week.app_id is 'The app.';
comment on column bi.totals_by_week.week is 'The Monday with which the week begins. In the app''s time zone.';
comment on column bi.totals_by_week.starts_at is 'The instant at which the week begins in that zone: for time axes.';
comment on column bi.totals_by_week.posts is 'Feed posts that were posted.';
comment on column bi.totals_by_week.cancelled is 'Posts that people cancelled.';
comment on column bi.totals_by_week.failed is 'Posts that failed.';
comment on column bi.totals_by_week.unconfirmed is 'Posts of which nobody knows.';
comment on column bi.totals_by_week.post_rate is
    'posts ÷ (posts + cancelled), a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.totals_by_week.posters is
    'Distinct people with a posted story. People of weeks must not be summed.';
comment on column bi.totals_by_week.touches is 'Taps that opened the app or a link: inbound links and link clicks.';
comment on column bi.totals_by_week.people is 'Distinct people of these touches. People of weeks must not be summed.';
comment on column bi.totals_by_week.authenticated_touches is 'Touches that carried a login.';
comment on column bi.totals_by_week.installs is 'Counted installs; a re-install within 90 days is none.';
comment on column bi.totals_by_week.conversions is 'Conversions.';
comment on column bi.totals_by_week.value is 'What they were worth, in the app''s currency.';
comment on column bi.totals_by_week.touches_per_post is
    'touches ÷ posts, of what has a ref alone.';
comment on column bi.totals_by_week.installs_per_poster is
    'installs ÷ posters, of what has a ref alone. The viral coefficient K is in the report viral.';

create view bi.totals_by_month as
select
    app.app_id,
    figures.starts_on as month,
    figures_period.starts_at,
    figures.posts,
    figures.cancelled,
    figures.failed,
    figures.unconfirmed,
    figures.post_rate,
    figures.posters,
    figures.touches,
    figures.people,
    figures.authenticated_touches,
    figures.installs,
    figures.conversions,
    figures.value,
    figures.touches_per_post,
    figures.installs_per_poster
from ref_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'month'
    and figures.is_total;

comment on view bi.totals_by_month is
    'Everything of a month in one row: the row "total" of the report refs. No row: nothing happened.';
comment on column bi.totals_by_month.app_id is 'The app.';
comment on column bi.totals_by_month.month is 'The first day of the month. In the app''s time zone.';
comment on column bi.totals_by_month.starts_at is 'The instant at which the month begins in that zone: for time axes.';
comment on column bi.totals_by_month.posts is 'Feed posts that were posted.';
comment on column bi.totals_by_month.cancelled is 'Posts that people cancelled.';
comment on column bi.totals_by_month.failed is 'Posts that failed.';
comment on column bi.totals_by_month.unconfirmed is 'Posts of which nobody knows.';
comment on column bi.totals_by_month.post_rate is
    'posts ÷ (posts + cancelled), a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.totals_by_month.posters is
    'Distinct people with a posted story. People of months must not be summed.';
comment on column bi.totals_by_month.touches is 'Taps that opened the app or a link: inbound links and link clicks.';
comment on column bi.totals_by_month.people is 'Distinct people of these touches. People of months must not be summed.';
comment on column bi.totals_by_month.authenticated_touches is 'Touches that carried a login.';
comment on column bi.totals_by_month.installs is 'Counted installs; a re-install within 90 days is none.';
comment on column bi.totals_by_month.conversions is 'Conversions.';
comment on column bi.totals_by_month.value is 'What they were worth, in the app''s currency.';
comment on column bi.totals_by_month.touches_per_post is
    'touches ÷ posts, of what has a ref alone.';
comment on column bi.totals_by_month.installs_per_poster is
    'installs ÷ posters, of what has a ref alone. The viral coefficient K is in the report viral.';
