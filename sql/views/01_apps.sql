-- The apps, and how far their figures are.
create view bi.apps as
select
    app.app_id,
    app.name,
    app.time_zone,
    app.currency,
    (
        select min(starts_on)
        from figures_period
        where figures_period.app_number = app.app_number
            and granularity = 'day'
    ) as first_day,
    (
        select max(starts_on)
        from figures_period
        where figures_period.app_number = app.app_number
            and granularity = 'day'
    ) as last_day
from app;

create view bi.freshness as
select
    app.app_id,
    family.figures::text as figures,
    granularity.granularity::text as granularity,
    nullif(
        coalesce(
            (
                select min(complete_through)
                from stale_figures
                where stale_figures.app_number = app.app_number
                    and stale_figures.family = family.figures
                    and stale_figures.granularity = granularity.granularity
            ),
            state.looked_at
        ),
        '-infinity'
    ) as data_as_of,
    (
        select count(*)
        from stale_figures
        where stale_figures.app_number = app.app_number
            and stale_figures.family = family.figures
            and stale_figures.granularity = granularity.granularity
    ) as stale_periods
from app
cross join unnest(enum_range(null::figures_family)) as family (figures)
cross join unnest(enum_range(null::figures_granularity)) as granularity (granularity)
left join figures_state as state
    on state.app_number = app.app_number
    and not state.is_invalid
where family.figures <> 'retention'
    or granularity.granularity <> 'month';

comment on view bi.apps is 'The apps. One row an app.';
comment on column bi.apps.app_id is 'The app''s id, as on the command line.';
comment on column bi.apps.name is 'The app''s name.';
comment on column bi.apps.time_zone is 'The zone whose days, weeks and months the figures are of.';
comment on column bi.apps.currency is 'The currency that values are in, ISO 4217. Values in others are not summed.';
comment on column bi.apps.first_day is 'The first day that has figures. Null: none has.';
comment on column bi.apps.last_day is 'The last day that has figures.';

comment on view bi.freshness is 'How far the figures are. One row for each app, kind of figures and granularity.';
comment on column bi.freshness.app_id is 'The app.';
comment on column bi.freshness.figures is
    'totals: the views totals, channels, refs, posts, attribution; funnels: the views funnels; retention: the views retention.';
comment on column bi.freshness.granularity is 'day, week or month.';
comment on column bi.freshness.data_as_of is
    'Every event stored up to this instant is counted in all of them. Null: they are being made for the first time, or anew.';
comment on column bi.freshness.stale_periods is 'How many periods wait to be made again.';
