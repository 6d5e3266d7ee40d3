-- Views over ref_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.totals_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
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
where figures.granularity = '{period}'
    and figures.is_total;

comment on view bi.totals_by_{period} is
    'Everything of a {period} in one row: the row "total" of the report refs. No row: nothing happened.';
comment on column bi.totals_by_{period}.app_id is 'The app.';
comment on column bi.totals_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.totals_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.totals_by_{period}.posts is 'Feed posts that were posted.';
comment on column bi.totals_by_{period}.cancelled is 'Posts that people cancelled.';
comment on column bi.totals_by_{period}.failed is 'Posts that failed.';
comment on column bi.totals_by_{period}.unconfirmed is 'Posts of which nobody knows.';
comment on column bi.totals_by_{period}.post_rate is
    'posts ÷ (posts + cancelled), a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.totals_by_{period}.posters is
    'Distinct people with a posted story. People of {period}s must not be summed{recount}.';
comment on column bi.totals_by_{period}.touches is 'Taps that opened the app or a link: inbound links and link clicks.';
comment on column bi.totals_by_{period}.people is
    'Distinct people of these touches. People of {period}s must not be summed{recount}.';
comment on column bi.totals_by_{period}.authenticated_touches is 'Touches that carried a login.';
comment on column bi.totals_by_{period}.installs is 'Counted installs; a re-install within 90 days is none.';
comment on column bi.totals_by_{period}.conversions is 'Conversions.';
comment on column bi.totals_by_{period}.value is 'What they were worth, in the app''s currency.';
comment on column bi.totals_by_{period}.touches_per_post is
    'touches ÷ posts, of what has a ref alone.';
comment on column bi.totals_by_{period}.installs_per_poster is
    'installs ÷ posters, of what has a ref alone. The viral coefficient K is in the report viral.';
