-- Daily, weekly and monthly figures for BI tools (docs/bi.md): the rows of reports, written by the folds that make the
-- reports. All of it is derived from events: it can be thrown away and is made again. It holds counts and names of refs,
-- nothing of a person.

create type figures_granularity as enum ('day', 'week', 'month');
-- What is refreshed together, because the same events decide on it.
create type figures_family as enum ('totals', 'funnels', 'retention');

-- How far the figures of an app are. No row: none have been made yet.
create table figures_state (
    app_number integer not null,
    -- What the figures were made with: others make them afresh.
    definition integer not null,
    time_zone text not null,
    currency text not null,
    -- Which events have been taken into account: those that this snapshot sees, and all below the horizon
    -- (`transaction_horizon()`). The generation is the one that the snapshot's transaction ids are of.
    horizon bigint not null,
    generation bigint not null,
    snapshot text not null,
    -- When that was.
    looked_at timestamptz not null,
    -- Somebody deleted events: all figures are made afresh (`invalidate_figures`).
    is_invalid boolean not null default false,
    constraint figures_state_pkey primary key (app_number),
    constraint figures_state_app foreign key (app_number) references app on delete cascade
);

-- Periods whose figures are not up to date, until they have been made again.
create table stale_figures (
    app_number integer not null,
    family figures_family not null,
    granularity figures_granularity not null,
    starts_on date not null,
    -- The figures there are count every event up to this look.
    complete_through timestamptz not null,
    -- Another one each time the period becomes stale, so that what became stale during a refresh stays so after it.
    mark uuid not null default gen_random_uuid(),
    constraint stale_figures_pkey primary key (app_number, family, granularity, starts_on),
    constraint stale_figures_app foreign key (app_number) references app on delete cascade
);

-- The periods that have figures: those in which anything happened. The days are those of the app's time zone, and the
-- instants are where that zone's clocks had them.
create table figures_period (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    constraint figures_period_pkey primary key (app_number, granularity, starts_on),
    constraint figures_period_app foreign key (app_number) references app on delete cascade
);

-- In the following tables a row is a row of a report of one period, and `position` its place there, from 1. A name is no
-- key: a ref may be called "total".

create table channel_figures (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    position integer not null,
    is_total boolean not null,
    channel text collate "C" not null,
    touches bigint not null,
    people bigint not null,
    authenticated_touches bigint not null,
    installs numeric not null,
    conversions numeric not null,
    value numeric not null,
    constraint channel_figures_pkey primary key (app_number, granularity, starts_on, position),
    constraint channel_figures_app foreign key (app_number) references app on delete cascade
);

create table ref_figures (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    position integer not null,
    is_total boolean not null,
    ref text collate "C" not null,
    posts bigint not null,
    cancelled bigint not null,
    failed bigint not null,
    unconfirmed bigint not null,
    post_rate numeric,
    posters bigint not null,
    touches bigint not null,
    people bigint not null,
    authenticated_touches bigint not null,
    installs numeric not null,
    conversions numeric not null,
    value numeric not null,
    touches_per_post numeric,
    installs_per_poster numeric,
    constraint ref_figures_pkey primary key (app_number, granularity, starts_on, position),
    constraint ref_figures_app foreign key (app_number) references app on delete cascade
);

create table post_figures (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    position integer not null,
    is_total boolean not null,
    ref text collate "C" not null,
    composer text,
    posted bigint not null,
    cancelled bigint not null,
    failed bigint not null,
    unconfirmed bigint not null,
    post_rate numeric,
    posters bigint not null,
    constraint post_figures_pkey primary key (app_number, granularity, starts_on, position),
    constraint post_figures_app foreign key (app_number) references app on delete cascade
);

create table attribution_figures (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    event text not null,
    grouping text not null,
    position integer not null,
    is_total boolean not null,
    group_name text collate "C" not null,
    model text not null,
    credits numeric not null,
    share numeric,
    value numeric not null,
    constraint attribution_figures_pkey primary key (app_number, granularity, starts_on, event, grouping, position),
    constraint attribution_figures_app foreign key (app_number) references app on delete cascade
);

create table funnel_figures (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    funnel text not null,
    grouping text not null,
    position integer not null,
    is_total boolean not null,
    group_name text collate "C" not null,
    step integer not null,
    step_name text not null,
    people bigint not null,
    rate_from_first numeric,
    rate_from_previous numeric,
    ci_low numeric,
    ci_high numeric,
    median_seconds numeric,
    constraint funnel_figures_pkey primary key (app_number, granularity, starts_on, funnel, grouping, position),
    constraint funnel_figures_app foreign key (app_number) references app on delete cascade
);

create table retention_figures (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    grouping text not null,
    position integer not null,
    is_total boolean not null,
    group_name text collate "C" not null,
    period integer not null,
    people bigint not null,
    retained bigint not null,
    rate numeric,
    constraint retention_figures_pkey primary key (app_number, granularity, starts_on, grouping, position),
    constraint retention_figures_app foreign key (app_number) references app on delete cascade
);

-- To be called in the transaction that deletes events of an app or the links of its people: its figures are then made
-- afresh. What is deleted with the app itself goes by the foreign keys.
create function invalidate_figures(app_number integer) returns void
    language sql
    set search_path from current
as $$
    insert into figures_state (
        app_number, definition, time_zone, currency, horizon, generation, snapshot, looked_at, is_invalid
    )
    values (invalidate_figures.app_number, 0, '', '', 0, 0, '', '-infinity', true)
    on conflict (app_number) do update
        set is_invalid = true
$$;

-- The views that BI tools read (`sql/views`), as they were last made.
create table bi_views (
    is_only_row boolean not null default true,
    -- Of the program that made them: an older one leaves them alone.
    version integer not null,
    checksum text not null,
    -- To be dropped before others are made.
    names text[] not null,
    created_at timestamptz not null default now(),
    constraint bi_views_pkey primary key (is_only_row),
    constraint bi_views_one check (is_only_row)
);

-- For: whose earlier events a new link of a device or a click makes another's (sql/figures/select_changes.sql). Only events
-- that carry no better id are in them.
create index event_anonymous_by_device on event (app_number, device_id)
    where user_id is null and device_id is not null;
create index event_anonymous_by_click on event (app_number, click_id)
    where user_id is null and device_id is null and click_id is not null;
create index click_link_by_device on click_link (app_number, device_id)
    where user_id is null;

-- For: the touches that wait for a post with their id (the same).
create index event_touches_by_post on event (app_number, post_id)
    where channel is not null and refs = '{}' and post_id is not null;

-- For: installs and deferred links before and after a report's range (sql/reports/timelines.sql), without reading all other
-- events for them.
create index event_installs_by_time on event (app_number, occurred_at)
    where type = 'install' or deferred;
