-- Events are facts and never change. No foreign key between these tables and no sequence as a key, so that they can be
-- distributed by person later (docs/architecture.md).

create type event_type as enum ('inbound_link', 'feed_post', 'link_click', 'install', 'authentication', 'conversion');
create type platform as enum ('ios', 'android', 'web', 'desktop');
create type channel as enum (
    'search', 'bookmarks', 'requests', 'story_attribution', 'story_links', 'other', 'unattributed'
);
create type post_outcome as enum ('posted', 'cancelled', 'failed', 'unconfirmed');
create type composer as enum ('feed_dialog', 'share_dialog', 'open_graph', 'stories', 'request_dialog');

-- The arbiter of "stored once": whoever inserts the key stores the event, whatever its time says, in whichever month it
-- falls, on whichever daemon. It is not partitioned, because PostgreSQL enforces a unique key only within a partition.
create table event_key (
    app_number integer not null,
    event_id uuid not null,
    received_at timestamptz not null,
    constraint event_key_pkey primary key (app_number, event_id)
);

-- The same for feed posts that have an id: the same post told twice is one post.
create table feed_post_key (
    app_number integer not null,
    post_id text collate "C" not null,
    event_id uuid not null,
    constraint feed_post_key_pkey primary key (app_number, post_id)
);

create table event (
    app_number integer not null,
    event_id uuid not null,
    type event_type not null,
    occurred_at timestamptz not null,
    received_at timestamptz not null,
    user_id text collate "C",
    device_id text collate "C",
    click_id text collate "C",
    platform platform,

    -- Touches: inbound_link, link_click, and an install that came with its deferred link.
    channel channel,
    channel_rule text,
    link_form text,
    refs text[],
    target_url text,
    referer_app text,
    referer_url text,
    authenticated boolean,
    deferred boolean,
    paid boolean,
    test_traffic boolean,
    clicked_at timestamptz,
    -- What else the link said: app_id, fb_source, action_ids, request_ids, promo_code …
    link_details jsonb,
    -- The raw link or callback, redacted.
    url text,

    -- Touches and feed posts: the story join (DOMAIN.md section 3).
    post_id text collate "C",
    -- Half of the SHA-256 of the link as the story join compares it.
    story_key uuid,

    -- Feed posts (`refs` as above).
    outcome post_outcome,
    composer composer,
    post_link text,
    action_type text,
    object_id text,
    error_code bigint,
    error_message text,

    -- Installs.
    limit_ad_tracking boolean,

    -- Conversions.
    goal text,
    value numeric,
    currency text,

    properties jsonb
) partition by range (occurred_at);

-- For: the scan of a report (sql/reports/…), which reads one app's events of a range of time.
create index event_by_app_and_time on event (app_number, occurred_at);

-- For: the story join by link, the app's latest post at or before a link.
create index event_posts_by_story on event (app_number, story_key, occurred_at, event_id)
    where type = 'feed_post' and outcome in ('posted', 'unconfirmed') and story_key is not null;

-- For: the story join by post id.
create index event_posts_by_id on event (app_number, post_id)
    where type = 'feed_post' and post_id is not null;

-- The month's partition, made on demand by whoever first stores an event of that month (UTC). It is made beside the
-- table and attached, which blocks no one who writes. Two who come at once: the second waits and finds it made.
create function ensure_event_partition(month date) returns void
    language plpgsql
    security definer
    set search_path from current
as $$
declare
    first_day date := date_trunc('month', month)::date;
    partition_name text := 'event_' || to_char(first_day, 'YYYY_MM');
begin
    if to_regclass(partition_name) is not null then
        return;
    end if;
    perform pg_advisory_xact_lock(hashtextextended('tributary event partition', 0));
    if to_regclass(partition_name) is not null then
        return;
    end if;
    execute format('create table %I (like event including defaults including constraints)', partition_name);
    execute format(
        'alter table event attach partition %I for values from (%L) to (%L)',
        partition_name,
        first_day::text || ' 00:00:00+00',
        (first_day + interval '1 month')::date::text || ' 00:00:00+00'
    );
end
$$;
