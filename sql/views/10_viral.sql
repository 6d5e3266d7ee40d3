-- Views over viral_figures. A template: `BIViews.Period` fills its {…} for each period.

create view bi.viral_by_{period} as
select
    app.app_id,
    figures.starts_on as {period},
    figures_period.starts_at,
    case when figures.is_total then 'all' else figures.grouping end as grouping,
    case when figures.is_total then 'all' else figures.group_name end as group_name,
    figures.posts,
    figures.posters,
    figures.touches,
    figures.people,
    figures.untraced_touches,
    figures.installs,
    figures.k,
    figures.installs_per_post,
    figures.posts_with_installs,
    figures.cycle_median_seconds
from viral_figures as figures
join figures_period using (app_number, granularity, starts_on)
join app using (app_number)
where figures.granularity = '{period}';

comment on view bi.viral_by_{period} is
    'Installs that posts brought in a {period}, and the viral coefficient K: the report viral.';
comment on column bi.viral_by_{period}.app_id is 'The app.';
comment on column bi.viral_by_{period}.{period} is '{first} In the app''s time zone.';
comment on column bi.viral_by_{period}.starts_at is 'The instant at which the {period} begins in that zone: for time axes.';
comment on column bi.viral_by_{period}.grouping is 'all: all posts in one group; ref: by that of the posts. Choose one.';
comment on column bi.viral_by_{period}.group_name is 'The ref of the posts; (none): no ref; all.';
comment on column bi.viral_by_{period}.posts is 'Feed posts that were posted.';
comment on column bi.viral_by_{period}.posters is
    'Distinct people with a posted story. People of {period}s must not be summed{recount}.';
comment on column bi.viral_by_{period}.touches is 'Touches that came from a post of the row, whenever it was posted.';
comment on column bi.viral_by_{period}.people is
    'Distinct people of these touches. People of {period}s must not be summed{recount}.';
comment on column bi.viral_by_{period}.untraced_touches is 'Touches with a ref that came from no known post.';
comment on column bi.viral_by_{period}.installs is
    'Last-touch credits of installs whose touch came from a post of the row, with a lookback of 7 days.';
comment on column bi.viral_by_{period}.k is
    'installs ÷ posters, the viral coefficient, at least: installs that nobody can trace to a post are missing. It grows with the length of the time, so compare {period}s with {period}s. Null where nothing can be traced or divided.';
comment on column bi.viral_by_{period}.installs_per_post is 'installs ÷ posts, at least, as k.';
comment on column bi.viral_by_{period}.posts_with_installs is
    'Posts of the {period} that brought one of its installs.';
comment on column bi.viral_by_{period}.cycle_median_seconds is
    'The median, over these posts, of the time from the post to the first install that it brought.';
