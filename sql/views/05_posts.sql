-- Views over post_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.posts_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
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
where figures.granularity = '{period}'
    and not figures.is_total;

comment on view bi.posts_by_{period} is
    'What became of posts, by category and composer, by {period}: the report posts, without its row "total".';
comment on column bi.posts_by_{period}.app_id is 'The app.';
comment on column bi.posts_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.posts_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.posts_by_{period}.ref is 'The category of the post; (none): no ref.';
comment on column bi.posts_by_{period}.composer is
    'feed_dialog, share_dialog, open_graph, stories, request_dialog or (none).';
comment on column bi.posts_by_{period}.posted is 'Posts that were posted.';
comment on column bi.posts_by_{period}.cancelled is 'Posts that people cancelled.';
comment on column bi.posts_by_{period}.failed is 'Posts that failed.';
comment on column bi.posts_by_{period}.unconfirmed is 'Posts of which nobody knows.';
comment on column bi.posts_by_{period}.post_rate is
    'posted ÷ (posted + cancelled), a part of a whole, 6 decimals; null where there is nothing to divide by.';
comment on column bi.posts_by_{period}.posters is
    'Distinct people with a posted story. People of {period}s must not be summed{recount}.';
