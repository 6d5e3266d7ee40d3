-- The apps, and how far their figures are.
create view bi.apps as
select
    app.app_id,
    app.name,
    app.time_zone,
    app.currency,
    days.first_day,
    days.last_day
from app
left join (
    select app_number, min(starts_on) as first_day, max(starts_on) as last_day
    from figures_period
    where granularity = 'day'
    group by app_number
) as days on days.app_number = app.app_number;

create view bi.freshness as
select
    app.app_id,
    family.figures::text as figures,
    granularity.granularity::text as granularity,
    nullif(coalesce(stale.complete_through, state.looked_at), '-infinity') as data_as_of,
    coalesce(stale.periods, 0) as stale_periods
from app
cross join unnest(enum_range(null::figures_family)) as family (figures)
cross join unnest(enum_range(null::figures_granularity)) as granularity (granularity)
left join (
    select app_number, looked_at
    from figures_state
    where not is_invalid
) as state on state.app_number = app.app_number
left join (
    select app_number, family, granularity, min(complete_through) as complete_through, count(*) as periods
    from stale_figures
    group by app_number, family, granularity
) as stale
    on stale.app_number = app.app_number
    and stale.family = family.figures
    and stale.granularity = granularity.granularity
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
    'totals: the views totals, channels, refs, posts, attribution, properties; person_properties: properties of people in the views properties; funnels: the views funnels; retention: the views retention; viral: the views viral; activity: the views activity.';
comment on column bi.freshness.granularity is 'day, week or month.';
comment on column bi.freshness.data_as_of is
    'Every event stored up to this instant is counted in all of them. Null: they are being made for the first time, or anew.';
comment on column bi.freshness.stale_periods is 'How many periods wait to be made again.';
