-- Views over post_figures.

create view bi.posts_by_day as
select
    app.app_id,
    figures.starts_on as day,
    figures_period.starts_at,
    figures.ref,
    figures.composer,
    figures.posted,
    figures.cancelled,
    figures.failed,
    figures.unconfirmed,
    figures.post_rate,
    figures.posters
from post_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'day'
    and not figures.is_total;

comment on view bi.posts_by_day is
    'What became of posts, by category and composer, by day: the report posts, without its row "total".';
comment on column bi.posts_by_day.app_id is 'The app.';
comment on column bi.posts_by_day.day is 'The day. In the app''s time zone.';
comment on column bi.posts_by_day.starts_at is 'The instant at which the day begins in that zone: for time axes.';
comment on column bi.posts_by_day.ref is 'The category of the post; (none): no ref.';
comment on column bi.posts_by_day.composer is
    'feed_dialog, share_dialog, open_graph, stories, request_dialog or (none).';
comment on column bi.posts_by_day.posted is 'Posts that were posted.';
comment on column bi.posts_by_day.cancelled is 'Posts that people cancelled.';
comment on column bi.posts_by_day.failed is 'Posts that failed.';
comment on column bi.posts_by_day.unconfirmed is 'Posts of which nobody knows.';
comment on column bi.posts_by_day.post_rate is
    'posted ÷ (posted + cancelled), a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.posts_by_day.posters is
    'Distinct people with a posted story. People of days must not be summed: the views by week and by month count them anew.';

create view bi.posts_by_week as
select
    app.app_id,
    figures.starts_on as week,
    figures_period.starts_at,
    figures.ref,
    figures.composer,
    figures.posted,
    figures.cancelled,
    figures.failed,
    figures.unconfirmed,
    figures.post_rate,
    figures.posters
from post_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'week'
    and not figures.is_total;

comment on view bi.posts_by_week is
    'What became of posts, by category and composer, by week: the report posts, without its row "total".';
comment on column bi.posts_by_week.app_id is 'The app.';
comment on column bi.posts_by_week.week is 'The Monday with which the week begins. In the app''s time zone.';
comment on column bi.posts_by_week.starts_at is 'The instant at which the week begins in that zone: for time axes.';
comment on column bi.posts_by_week.ref is 'The category of the post; (none): no ref.';
comment on column bi.posts_by_week.composer is
    'feed_dialog, share_dialog, open_graph, stories, request_dialog or (none).';
comment on column bi.posts_by_week.posted is 'Posts that were posted.';
comment on column bi.posts_by_week.cancelled is 'Posts that people cancelled.';
comment on column bi.posts_by_week.failed is 'Posts that failed.';
comment on column bi.posts_by_week.unconfirmed is 'Posts of which nobody knows.';
comment on column bi.posts_by_week.post_rate is
    'posted ÷ (posted + cancelled), a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.posts_by_week.posters is
    'Distinct people with a posted story. People of weeks must not be summed.';

create view bi.posts_by_month as
select
    app.app_id,
    figures.starts_on as month,
    figures_period.starts_at,
    figures.ref,
    figures.composer,
    figures.posted,
    figures.cancelled,
    figures.failed,
    figures.unconfirmed,
    figures.post_rate,
    figures.posters
from post_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = 'month'
    and not figures.is_total;

comment on view bi.posts_by_month is
    'What became of posts, by category and composer, by month: the report posts, without its row "total".';
comment on column bi.posts_by_month.app_id is 'The app.';
comment on column bi.posts_by_month.month is 'The first day of the month. In the app''s time zone.';
comment on column bi.posts_by_month.starts_at is 'The instant at which the month begins in that zone: for time axes.';
comment on column bi.posts_by_month.ref is 'The category of the post; (none): no ref.';
comment on column bi.posts_by_month.composer is
    'feed_dialog, share_dialog, open_graph, stories, request_dialog or (none).';
comment on column bi.posts_by_month.posted is 'Posts that were posted.';
comment on column bi.posts_by_month.cancelled is 'Posts that people cancelled.';
comment on column bi.posts_by_month.failed is 'Posts that failed.';
comment on column bi.posts_by_month.unconfirmed is 'Posts of which nobody knows.';
comment on column bi.posts_by_month.post_rate is
    'posted ÷ (posted + cancelled), a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.posts_by_month.posters is
    'Distinct people with a posted story. People of months must not be summed.';
