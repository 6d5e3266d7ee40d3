-- Views over ref_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.refs_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
    figures_period.starts_at,
    figures.ref,
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
    and not figures.is_total;

comment on view bi.refs_by_{period} is
    'Categories of posts by {period}: the report refs, without its row "total". What has several refs is in several rows.';
comment on column bi.refs_by_{period}.app_id is 'The app.';
comment on column bi.refs_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.refs_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.refs_by_{period}.ref is
    'The category of a post; (none): no ref; direct: installs and conversions that no touch is credited with.';
comment on column bi.refs_by_{period}.posts is 'Feed posts that were posted. One with several refs is in the row of each.';
comment on column bi.refs_by_{period}.cancelled is 'Posts that people cancelled.';
comment on column bi.refs_by_{period}.failed is 'Posts that failed.';
comment on column bi.refs_by_{period}.unconfirmed is 'Posts of which nobody knows.';
comment on column bi.refs_by_{period}.post_rate is
    'posts ÷ (posts + cancelled), a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.refs_by_{period}.posters is
    'Distinct people with a posted story. People of {period}s must not be summed{recount}.';
comment on column bi.refs_by_{period}.touches is 'Touches of these posts. One with several refs is in the row of each.';
comment on column bi.refs_by_{period}.people is
    'Distinct people of these touches. People of {period}s must not be summed{recount}.';
comment on column bi.refs_by_{period}.authenticated_touches is 'Touches that carried a login.';
comment on column bi.refs_by_{period}.installs is
    'Installs credited to the last touch of the 7 days before, split equally among its refs. They add up.';
comment on column bi.refs_by_{period}.conversions is 'Conversions credited likewise. They add up.';
comment on column bi.refs_by_{period}.value is 'What these conversions were worth, in the app''s currency. It adds up.';
comment on column bi.refs_by_{period}.touches_per_post is 'touches ÷ posts.';
comment on column bi.refs_by_{period}.installs_per_poster is 'installs ÷ posters. The viral coefficient K is in the report viral.';
