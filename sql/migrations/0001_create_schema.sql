-- The schema of Tributary (docs/architecture.md), by subject. Once it is released, later migrations change it: an
-- applied migration is never edited (`Migrator`).

-- =====================================================================================================================
-- Apps, keys, rules, saved questions
-- =====================================================================================================================

-- Apps (tenants) and their keys. A key is random and shown once; only its SHA-256 is kept.

create table app (
    app_number integer generated always as identity,
    app_id text not null,
    name text not null,
    namespace text,
    bundle_ids text[] not null default '{}',
    iphone_store_id text,
    ipad_store_id text,
    url_scheme_suffixes text[] not null default '{}',
    login boolean not null default true,
    deep_linking boolean not null default true,
    android_package text,
    android_certs text[] not null default '{}',
    apple_team_id text,
    apple_provider_token text,
    -- What visitors carry to the app (`IOSCarry`), and the words and looks of pages (`PageWords`).
    ios_carry text not null default 'off',
    page_words jsonb not null default '{}',
    page_color text,
    page_logo text,
    time_zone text not null default 'UTC',
    currency text not null default 'USD',
    -- Whether `app_secret` has it.
    has_meta_referrer_key boolean not null default false,
    created_at timestamptz not null default now(),
    constraint app_pkey primary key (app_number),
    constraint app_id_unique unique (app_id)
);

-- What nothing prints, and roles that only read may not select.
create table app_secret (
    app_number integer not null,
    -- For the campaign data of Meta in install referrers.
    meta_referrer_key bytea,
    constraint app_secret_pkey primary key (app_number)
);

-- A key for apps (`app`) may be read by anyone, so it may only send what an app says of its device. A `manage` key does
-- what a manager does, and sends no events.
create type key_scope as enum ('write', 'read', 'app', 'manage');

create table api_key (
    key_hash bytea not null,
    app_number integer not null,
    scope key_scope not null,
    label text not null default '',
    -- The first characters of the key, so that people can tell keys apart.
    prefix text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    -- The web pages that may use a key for apps, such as https://shop.example. Nobody else's page may.
    origins text[] not null default '{}',
    constraint api_key_pkey primary key (key_hash),
    constraint api_key_app foreign key (app_number) references app on delete cascade
);

-- For: the keys of an app (`tributary app keys`).
create index api_key_by_app on api_key (app_number);

-- People who sign in to the dashboard (docs/access.md). They are not the people of an app's events.
create table dashboard_user (
    user_number bigint generated always as identity,
    -- In small letters (`EmailAddress`).
    email text collate "C" not null,
    -- A hash with its parameters (`PasswordHash`). Null: none was chosen yet.
    password text,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz,
    constraint dashboard_user_pkey primary key (user_number),
    constraint dashboard_user_email unique (email)
);

-- What a user may do in an app. Changes lock the row of the user first: the last role takes the user along.
create table dashboard_role (
    user_number bigint not null,
    app_number integer not null,
    -- `viewer`, `analyst` or `manager` (`AppRole`).
    role text not null,
    -- When the user accepted the role by a link that was made for it. Null: not yet, and only somebody for whom a proxy
    -- vouches has the role.
    accepted_at timestamptz,
    constraint dashboard_role_pkey primary key (user_number, app_number),
    constraint dashboard_role_user foreign key (user_number) references dashboard_user on delete cascade,
    constraint dashboard_role_app foreign key (app_number) references app on delete cascade
);

-- For: the users of an app.
create index dashboard_role_by_app on dashboard_role (app_number);

-- Who has the token accepts the role of a user in an app, once, for 24 hours. Only the token's SHA-256 is kept.
create table dashboard_invitation (
    token_hash bytea not null,
    user_number bigint not null,
    app_number integer not null,
    -- Whether the user chooses another password. Else, one who has accepted a role before enters theirs.
    sets_password boolean not null,
    -- Who invites, as the log of changes names them.
    created_by text not null,
    created_at timestamptz not null default now(),
    constraint dashboard_invitation_pkey primary key (token_hash),
    constraint dashboard_invitation_role
        foreign key (user_number, app_number) references dashboard_role on delete cascade
);

-- For: the invitations of a user, and those to an app of theirs.
create index dashboard_invitation_by_user on dashboard_invitation (user_number, app_number);

-- The sessions of people who are signed in to the dashboard, as a user or with a read key. The cookie holds a random
-- id; only its SHA-256 is kept. A session ends when its row is deleted, 12 hours after it began, and with its key or
-- user.
create table dashboard_session (
    session_hash bytea not null,
    -- People and programs name it by this number.
    session_number bigint generated always as identity,
    key_hash bytea,
    user_number bigint,
    -- The app that the user looks at. What they may do there, their role says at each request.
    app_number integer,
    -- The user's browser, in a few words, without secrets.
    browser text not null default '',
    -- Whether a proxy has named the user. Roles that were not accepted count then, too.
    is_vouched boolean not null default false,
    created_at timestamptz not null default now(),
    -- To five minutes.
    last_seen_at timestamptz not null default now(),
    constraint dashboard_session_pkey primary key (session_hash),
    constraint dashboard_session_key foreign key (key_hash) references api_key on delete cascade,
    constraint dashboard_session_user foreign key (user_number) references dashboard_user on delete cascade,
    constraint dashboard_session_holder check (num_nonnulls(key_hash, user_number) = 1)
);

-- For: deleting a key.
create index dashboard_session_by_key on dashboard_session (key_hash);

-- For: the sessions of a user.
create index dashboard_session_by_user on dashboard_session (user_number);

-- The rules of an app in front of those of every app (docs/rules.md). Every version is kept.
create table app_rules (
    app_number integer not null,
    -- From 1.
    version integer not null,
    -- YAML, as it was given. Null: from then on the app has no rules of its own.
    rules text,
    set_at timestamptz not null default clock_timestamp(),
    constraint app_rules_pkey primary key (app_number, version)
);

-- The properties of events that an app has declared as keys of reports (docs/properties.md).
create table app_property (
    app_number integer not null,
    name text collate "C" not null,
    -- What has it: a `touch`, a `person` or a `conversion`.
    kind text not null,
    -- How many values have a row of their own.
    value_limit integer not null,
    declared_at timestamptz not null default clock_timestamp(),
    constraint app_property_pkey primary key (app_number, name)
);

-- Saved questions: a report with its parameters, under a name (docs/questions.md).
create table question (
    question_number bigint generated always as identity,
    app_number integer not null,
    name text collate "C" not null,
    report text not null,
    -- Its parameters, in order. A name may occur several times.
    parameter_names text[] not null,
    parameter_values text[] not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- When it was deleted. Null: it is there. A deleted question can be restored for some time, and its name is free.
    deleted_at timestamptz,
    constraint question_pkey primary key (question_number)
);

-- An app has one question of a name. For: lists, and finding one by its address.
create unique index question_name on question (app_number, name) where deleted_at is null;

-- For: the questions that can be restored, and those that are too old for it.
create index question_deletion on question (app_number, deleted_at) where deleted_at is not null;

-- Saved questions and boards that anyone with a secret address may see (docs/access.md). Only the secret's SHA-256 is
-- kept. They go with their question.
create table shared_page (
    page_number bigint generated always as identity,
    app_number integer not null,
    question_number bigint not null,
    secret_hash bytea not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    -- Who shared it: a user's address, a key's name, or `command line`.
    created_by text not null,
    constraint shared_page_pkey primary key (page_number),
    constraint shared_page_secret unique (secret_hash),
    constraint shared_page_question foreign key (question_number) references question on delete cascade
);

-- For: the shared pages of an app, and those of a question that is deleted.
create index shared_page_by_app on shared_page (app_number, page_number);
create index shared_page_by_question on shared_page (question_number);

-- Webhooks (docs/webhooks.md): where an app wants to hear to whom its installs or conversions are credited.
create table webhook (
    webhook_id text collate "C" not null,
    app_number integer not null,
    url text not null,
    -- Parameters of the report `attribution`: what is told.
    parameter_names text[] not null,
    parameter_values text[] not null,
    settle interval not null,
    -- Requests are signed with it, so it cannot be a hash.
    secret text not null,
    -- The one before, which signs too until then.
    previous_secret text,
    previous_until timestamptz,
    -- All events of transactions below it have been looked at.
    position bigint not null,
    -- The number of the next word.
    next_number bigint not null default 1,
    -- Null: it is active.
    pause_reason text,
    created_at timestamptz not null default now(),
    constraint webhook_pkey primary key (webhook_id),
    constraint webhook_app foreign key (app_number) references app on delete cascade
);

-- Questions that are answered by themselves after each period (docs/schedules.md). They go with their question.
create table question_schedule (
    schedule_number bigint generated always as identity,
    app_number integer not null,
    question_number bigint not null,
    -- The column of the question that is watched, and the row. A column without a row: every row. No column: the whole
    -- answer is sent.
    watch_column text,
    watch_row text,
    -- `day`, `week` or `month`; the day of the week (0 is Monday) or month on which it is sent; and the minute of the
    -- day.
    period text not null,
    send_day integer not null,
    send_minute integer not null,
    format text not null,
    target text not null,
    -- Whether each sending shares a page, to which its link leads.
    shares boolean not null default false,
    -- Of an https target, as those of a webhook. All schedules of an app with the same target have the same.
    secret text,
    previous_secret text,
    previous_until timestamptz,
    -- What a watch remembers: JSON.
    memory text,
    created_at timestamptz not null default now(),
    constraint question_schedule_pkey primary key (schedule_number),
    constraint question_schedule_question foreign key (question_number) references question on delete cascade
);

-- A question is sent once to a target, and a figure of it is watched once for a target.
create unique index question_schedule_target on question_schedule
    (question_number, target, coalesce(watch_column, ''), coalesce(watch_row, ''));

-- The periods for which a schedule was due. A daemon claims a period by inserting its row.
create table question_run (
    schedule_number bigint not null,
    app_number integer not null,
    -- The first day, and the day after the last one.
    period_start date not null,
    period_end date not null,
    -- `waiting`, `sent`, `quiet` (a watch had nothing to tell) or `failed`.
    state text not null default 'waiting',
    attempts integer not null default 0,
    -- When it is tried next. Null: never again.
    due_at timestamptz,
    claimed_at timestamptz not null default now(),
    finished_at timestamptz,
    -- What a watch found, or why the last attempt failed.
    remark text,
    constraint question_run_pkey primary key (schedule_number, period_start, period_end),
    constraint question_run_schedule foreign key (schedule_number) references question_schedule on delete cascade
);

-- For: the runs that are due.
create index question_run_due on question_run (due_at) where due_at is not null;

-- What happened on a day that figures may show: a release, an outage (docs/notes.md).
create table note (
    note_number bigint generated always as identity,
    app_number integer not null,
    day date not null,
    text text not null,
    created_at timestamptz not null default now(),
    constraint note_pkey primary key (note_number)
);

-- For: the notes of some days of an app.
create index note_day on note (app_number, day);

-- What other currencies were worth (docs/money.md): from a day on, one unit of the currency is `numerator` ÷
-- `denominator` units of the app's.
create table exchange_rate (
    app_number integer not null,
    currency text collate "C" not null,
    day date not null,
    numerator bigint not null,
    denominator bigint not null,
    constraint exchange_rate_pkey primary key (app_number, currency, day),
    constraint exchange_rate_currency check (currency ~ '^[A-Z]{3}$'),
    constraint exchange_rate_day check (day between '0001-01-01' and '9999-12-31'),
    constraint exchange_rate_value check (numerator > 0 and denominator > 0)
);

-- What a ref, a channel or a short link cost (docs/money.md), spread evenly over days of the app's time zone.
create table cost (
    cost_number bigint generated always as identity,
    app_number integer not null,
    -- `ref`, `channel` or `link`, and which.
    kind text collate "C" not null,
    name text collate "C" not null,
    -- The first day, and the day after the last one.
    starts_on date not null,
    ends_on date not null,
    -- In millionths of the currency.
    amount bigint not null,
    currency text collate "C" not null,
    created_at timestamptz not null default now(),
    constraint cost_pkey primary key (cost_number),
    constraint cost_days_of_name unique (app_number, kind, name, starts_on, ends_on),
    constraint cost_kind check (kind in ('ref', 'channel', 'link')),
    constraint cost_name check (octet_length(name) between 1 and 512),
    constraint cost_days check (
        starts_on between '0001-01-01' and '9999-01-01' and ends_on - starts_on between 1 and 366
    ),
    constraint cost_amount check (amount between 0 and 1000000000000000000),
    constraint cost_currency check (currency ~ '^[A-Z]{3}$')
);

-- For: the costs of an app whose days lie in a range.
create index cost_by_day on cost (app_number, starts_on);

-- Who changed what (docs/changes.md). An entry is written in the transaction of the change.
create table change_log (
    change_number bigint generated always as identity,
    changed_at timestamptz not null default now(),
    -- Null: the change concerned every app, or deleted one.
    app_number integer,
    -- A user's address, a key's first characters and label, `command line` or `tributaryd`.
    actor text not null,
    kind text not null,
    subject text not null,
    -- The fields that changed, as JSON objects without secrets.
    before text,
    after text,
    constraint change_log_pkey primary key (change_number)
);

-- For: the entries of an app (`tributary log`), and deleting the app.
create index change_log_by_app on change_log (app_number, change_number);

-- For: the entries that are too old.
create index change_log_by_time on change_log (changed_at);

-- How far the import of a file is. Written in the transaction that stores the events up to there, so that an
-- interrupted import continues exactly where it stopped. A row can be deleted at any time: the import then begins
-- again, and the ids of the events keep anything from being stored twice.
create table import_progress (
    app_number integer not null,
    -- A hash of the beginning of the content and of the settings that decide how a line is read.
    source_id uuid not null,
    -- The end of the last line that is done: bytes of the inflated content, and lines.
    byte_offset bigint not null,
    line_number bigint not null,
    -- A hash of all content up to there.
    fingerprint bytea not null,
    -- Lines up to there that were rejected.
    rejected bigint not null,
    is_finished boolean not null,
    updated_at timestamptz not null default now(),
    constraint import_progress_pkey primary key (app_number, source_id)
);

-- =====================================================================================================================
-- Transactions: which events are new to a reader
-- =====================================================================================================================

-- Each event has the number of the transaction that stored it, so that a reader who continues knows what is new: all
-- transactions below `transaction_horizon()` have ended, and none will store below it again. A time of receipt cannot
-- tell that, because transactions that began earlier may commit later.

-- PostgreSQL's transaction ids start again in a restored cluster, and go back after a failover that lost some. Each
-- such history gets a generation, whose numbers all lie above those of the generations before.
--
-- A known generation counts only while it is the newest: a dump may come back to its first server after another server
-- has stored events. Then the first server's history goes on in a new generation.
create table transaction_generation (
    generation integer generated always as identity,
    system_identifier bigint not null,
    timeline_id integer not null,
    constraint transaction_generation_pkey primary key (generation),
    constraint transaction_generation_history unique (system_identifier, timeline_id)
);

-- The timeline that this server writes, or that a standby replays. After a promotion, the control file tells the new
-- timeline only when the first checkpoint is complete, which may take minutes. The name of the write-ahead log's file
-- tells it at once.
create function transaction_timeline() returns integer
    language plpgsql
    stable
    set search_path from current
as $$
begin
    if pg_is_in_recovery() then
        return (
            select greatest(timeline_id, min_recovery_end_timeline)
            from pg_control_checkpoint(), pg_control_recovery()
        );
    end if;
    return ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
end
$$;

-- The number of the current transaction. 2^44 ids fit into a generation, 2^19 generations into a bigint.
create function current_transaction_number() returns bigint
    language plpgsql
    volatile
    security definer
    set search_path from current
as $$
declare
    -- What this session remembers, because reading the server's control file is dear: the table's oid (another schema
    -- has another table, and so has a restored dump), and the generation. A rollback takes it back, with a new
    -- generation. A standby remembers nothing: its sessions survive a promotion, which changes the timeline.
    remembered text := current_setting('tributary.generation', true);
    newest integer;
    history record;
    known integer;
begin
    -- Until this transaction ends, nobody raises the generation (sql/moving/raise_generation.sql).
    lock table transaction_generation in row exclusive mode;
    select max(generation) into newest from transaction_generation;
    if remembered = 'transaction_generation'::regclass::oid || ' ' || newest then
        known := newest;
    else
        select system_identifier, transaction_timeline() as timeline_id into history from pg_control_system();
        select generation into known
        from transaction_generation
        where transaction_generation.system_identifier = history.system_identifier
            and transaction_generation.timeline_id = history.timeline_id
            and generation = (select max(generation) from transaction_generation);
        if not found then
            -- Of two sessions at once, the second waits here or below, and takes what the first has made.
            update transaction_generation
            set generation = default
            where transaction_generation.system_identifier = history.system_identifier
                and transaction_generation.timeline_id = history.timeline_id
                and generation < (select max(generation) from transaction_generation);
            insert into transaction_generation (system_identifier, timeline_id)
            values (history.system_identifier, history.timeline_id)
            on conflict do nothing;
            select generation into known
            from transaction_generation
            where transaction_generation.system_identifier = history.system_identifier
                and transaction_generation.timeline_id = history.timeline_id;
        end if;
        if not pg_is_in_recovery() then
            perform set_config(
                'tributary.generation',
                'transaction_generation'::regclass::oid || ' ' || known,
                false
            );
        end if;
    end if;
    return (known::bigint << 44) + pg_current_xact_id()::text::bigint;
end
$$;

-- Every transaction below it has ended, as the current snapshot sees it. If nothing has been stored in this history
-- yet, or nothing since another history stored something, it is the start of the next generation.
create function transaction_horizon() returns bigint
    language sql
    stable
    security definer
    set search_path from current
as $$
    select coalesce(
        (
            select (generation::bigint << 44) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint
            from transaction_generation
            join pg_control_system() using (system_identifier)
            where timeline_id = transaction_timeline()
                and generation = (select max(generation) from transaction_generation)
        ),
        (select (coalesce(max(generation), 0)::bigint + 1) << 44 from transaction_generation)
    )
$$;

-- =====================================================================================================================
-- Events
-- =====================================================================================================================

-- Events are facts and never change. No foreign key between these tables and no sequence as a key, so that they can be
-- distributed by person later (docs/architecture.md).

create type event_type as enum (
    'inbound_link', 'feed_post', 'link_click', 'install', 'authentication', 'conversion', 'app_open'
);
create type platform as enum ('ios', 'android', 'web', 'desktop');
create type channel as enum (
    'search', 'bookmarks', 'requests', 'story_attribution', 'story_links', 'other', 'unattributed'
);
create type post_outcome as enum ('posted', 'cancelled', 'failed', 'unconfirmed');
create type login_outcome as enum ('granted', 'cancelled', 'denied', 'failed');
create type event_sender as enum ('server', 'app');
create type composer as enum ('feed_dialog', 'share_dialog', 'open_graph', 'stories', 'request_dialog');

-- The declared properties among those of an event: each name, then its value, in the order of `names`; null if there
-- are none. Values are texts, numbers and booleans of 1 to 256 bytes: texts without blanks and invisible characters
-- around them (`InvisibleText.isBlank`) and in form NFC, numbers by RFC 8785, but whole ones with all their digits.
-- `PropertyValue` says the same. In SQL it takes 8 µs and more, thus 2.4.
create function declared_properties(properties jsonb, names text[]) returns text[]
    language plpgsql
    immutable
    parallel safe
as $$
declare
    name text;
    value text;
    number numeric;
    found text[];
begin
    foreach name in array names loop
        value := properties ->> name;
        case jsonb_typeof(properties -> name)
            when 'string' then
                value := btrim(
                    value,
                    E'\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u0009\u000a\u000b\u000c\u000d\u000e'
                    '\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c'
                    '\u001d\u001e\u001f\u0020\u007f\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088'
                    '\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096'
                    '\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0\u00ad\u061c\u1680\u180e'
                    '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d'
                    '\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2061\u2062'
                    '\u2063\u2064\u2065\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u2800'
                    '\u3000\u3164\ufeff\uffa0'
                );
                if octet_length(value) > length(value) then
                    value := normalize(value);
                end if;
            when 'number' then
                number := trim_scale(value::numeric);
                value := number::text;
                if scale(number) > 0 and abs(number) < 1e300 then
                    -- A smaller number is 0 as a double, which the cast refuses: half of the smallest double.
                    value := case
                        when abs(number) < 2.4703282292062328e-324 then '0'
                        else number::double precision::text
                    end;
                    number := value::numeric;
                    if number = 0 or abs(number) >= 1e-6 then
                        value := trim_scale(number)::text;
                    else
                        value := replace(value, 'e-0', 'e-');
                    end if;
                end if;
            when 'boolean' then
                null;
            else
                value := null;
        end case;
        if octet_length(value) between 1 and 256 then
            found := found || name || value;
        end if;
    end loop;
    return found;
end
$$;

-- Decides "stored once": the transaction that inserts the key stores the event, whatever its time, month and daemon. It
-- is not partitioned, because PostgreSQL enforces a unique key only within a partition.
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
    app_version text,
    -- ISO 3166-1 alpha-2, and BCP 47.
    country text collate "C",
    language text collate "C",
    -- Null: `server`.
    sent_by event_sender,

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
    -- The short link of the app that the touch came through, as host/slug (docs/redirects.md).
    short_link text collate "C",
    -- Which values the sender stated, as bits (`StatedFields`).
    stated smallint,
    -- The transaction that read the event again last, so that incremental exports have it again.
    reread_transaction bigint,
    -- What else the link said: app_id, fb_source, action_ids, request_ids, promo_code …
    link_details jsonb,
    -- The raw link or callback, redacted.
    url text,

    -- Touches and feed posts: the story join (docs/links.md).
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

    -- Logins: null if granted. The URL and the error have the columns that callbacks of dialogs have.
    login_outcome login_outcome,

    -- Installs. If the click in the referrer was after the download began, it was injected.
    referrer_clicked_at timestamptz,
    install_began_at timestamptz,
    limit_ad_tracking boolean,
    -- What Google Play passed on, redacted. Its click_id is in click_id.
    install_referrer text,

    -- Conversions.
    goal text,
    value numeric,
    currency text,

    properties jsonb,

    -- current_transaction_number(). A check and not "not null", which the stage (`create_stage.sql`) would take over:
    -- there the number is not known yet.
    transaction_number bigint,
    constraint event_transaction_number_known check (transaction_number is not null)
) partition by range (occurred_at);

-- For: what is stored for ever once (docs/reliability.md, *How the promise is kept*), and the scan of a report, which
-- reads one app's events of a range of time.
create unique index event_identity on event (app_number, occurred_at, event_id);

-- Whether touches of the same link may have come from a post: whether it was posted, as far as anybody knows.
--
-- PostgreSQL puts such a function's expression into the query, so that it costs no call, and partial indexes are used.
-- It does so only if the function is immutable and not strict, has no settings, and no subquery.
create function is_story_post(outcome post_outcome) returns boolean
    language sql
    immutable
    parallel safe
as $$
    select outcome in ('posted', 'unconfirmed')
$$;

-- For: the story join by link, the app's latest post at or before a link. Its posts are those of `is_story_post`, which
-- is written out: on a cluster, workers get functions after tables.
create index event_posts_by_story on event (app_number, story_key, occurred_at, event_id)
    where type = 'feed_post' and outcome in ('posted', 'unconfirmed') and story_key is not null;

-- For: the story join by post id. Reading all posts (sql/timelines/posts_by_id.sql) needs the index alone.
create index event_posts_by_id on event (app_number, post_id) include (occurred_at, event_id)
    where type = 'feed_post' and post_id is not null;

-- For: what was stored since a transaction. Rows lie nearly in that order, so a summary of page ranges is enough, and
-- costs almost nothing when events are stored.
create index event_by_transaction on event using brin (transaction_number)
    with (pages_per_range = 32, autosummarize = on);

-- For: the earlier events that a new link of a device or click gives to another person
-- (sql/figures/select_changes.sql). Only events without a better id are in them.
create index event_anonymous_by_device on event (app_number, device_id)
    where user_id is null and device_id is not null;
create index event_anonymous_by_click on event (app_number, click_id)
    where user_id is null and device_id is null and click_id is not null;

-- For: the touches that wait for a post with their id (the same, and sql/exports/changed_people.sql).
create index event_touches_by_post on event (app_number, post_id)
    where channel is not null and post_id is not null;

-- For: installs and deferred links before and after a report's range (sql/reports/timelines.sql), without reading all
-- other events.
create index event_installs_by_time on event (app_number, occurred_at)
    where type = 'install' or deferred;

-- For: who else installed from a device (sql/attributions/select_device_people.sql).
create index event_installs_by_device on event (app_number, device_id, occurred_at)
    where type = 'install' and device_id is not null;

-- For: the events of a user (sql/timelines/person.sql).
create index event_by_user on event (app_number, user_id)
    where user_id is not null;

-- For: the logins that were not granted (sql/logins/count_refused_logins.sql). They are few, and timelines know no
-- errors.
create index event_refused_logins on event (app_number, occurred_at)
    where type = 'authentication' and login_outcome is not null;

-- For: the click that a code stands for (sql/statements/select_click_of_code.sql). The code is the end of its id, and
-- `RedirectEndpoint` marks the clicks whose page shows one. Others cost nothing here.
create index event_clicks_by_code on event (app_number, substr(uuid_send(event_id), 12))
    where type = 'link_click' and properties ? 'shows_code';

-- The month's partition, made on demand by whoever first stores an event of that month (UTC). It is made beside the
-- table and attached, which blocks no one who writes. Of two who come at once, the second waits and finds it made: the
-- catalogue says so, while `to_regclass` answers from the session's cache, which an advisory lock does not refresh.
--
-- What replicates events logically, as Citus does when it moves a part of a cluster, finds rows by `event_identity`.
create function ensure_event_partition(month date) returns void
    language plpgsql
    security definer
    set search_path from current
as $$
declare
    first_day date := date_trunc('month', month)::date;
    partition_name text := 'event_' || to_char(first_day, 'YYYY_MM');
    part record;
begin
    if to_regclass(partition_name) is not null then
        return;
    end if;
    perform pg_advisory_xact_lock(hashtextextended('tributary event partition', 0));
    perform
    from pg_class
    where relname = partition_name
        and relnamespace = (select relnamespace from pg_class where oid = 'event'::regclass);
    if found then
        return;
    end if;
    execute format('create table %I (like event including defaults including constraints)', partition_name);
    execute format(
        'alter table event attach partition %I for values from (%L) to (%L)',
        partition_name,
        first_day::text || ' 00:00:00+00',
        (first_day + interval '1 month')::date::text || ' 00:00:00+00'
    );
    for part in
        select index.relname, inhparent::regclass::text as whole
        from pg_index
        join pg_class as index on index.oid = indexrelid
        join pg_inherits on inhrelid = indexrelid
        where indrelid = to_regclass(partition_name)
    loop
        case part.whole
            when 'event_by_transaction' then
                execute format('alter index %I set (autosummarize = off)', part.relname);
            when 'event_identity' then
                execute format('alter table %I replica identity using index %I', partition_name, part.relname);
            else
                null;
        end case;
    end loop;
end
$$;

-- Summarizes what is new in every month (`event_by_transaction`), so that a reader of the delta does not read
-- everything since the last vacuum. The daemon that packs calls it every few seconds. Autovacuum's list of such
-- requests is full after a few seconds of load. A month that is being vacuumed is passed over: the vacuum summarizes
-- it, and a longer wait would stop the vacuum.
create function summarize_events() returns void
    language plpgsql
    security definer
    set search_path from current
    set lock_timeout = '50ms'
as $$
declare
    summary regclass;
begin
    for summary in
        select inhrelid
        from pg_inherits
        where inhparent = 'event_by_transaction'::regclass
    loop
        begin
            perform brin_summarize_new_values(summary);
        exception when lock_not_available then
            null;
        end;
    end loop;
end
$$;

-- `event_key` has the keys of the last weeks only: its index takes ids at random, so it must fit in memory, however
-- long the history is. An event that was received earlier is found by its time and its id (`event_identity`).

-- Which keys `event_key` has.
create table event_key_set (
    -- All that were received since this time, and those of erased people's events.
    kept_from timestamptz not null,
    -- If it is not null, `event_key_next` has all keys since this time, and can take the place of `event_key`.
    next_kept_from timestamptz,
    is_only_row boolean not null default true,
    constraint event_key_set_pkey primary key (is_only_row),
    constraint event_key_set_only_row check (is_only_row)
);

insert into event_key_set (kept_from) values (now());

-- Writes new keys to the next set too.
create function note_event_keys() returns trigger
    language plpgsql
    security definer
    set search_path from current
as $$
begin
    insert into event_key_next (app_number, event_id, received_at)
    select app_number, event_id, received_at
    from new_key
    on conflict do nothing;
    return null;
end
$$;

-- Makes the next set of keys, empty. From the commit on, each new key goes into both. Does nothing if there is one.
create function begin_event_key_renewal() returns void
    language plpgsql
    set search_path from current
as $$
declare
    owner regrole;
    privilege record;
begin
    if to_regclass('event_key_next') is not null then
        return;
    end if;
    -- Waits for those who are storing events.
    lock table event_key in share row exclusive mode;
    create table event_key_next (like event_key including defaults including constraints);
    alter table event_key_next add constraint event_key_next_pkey primary key (app_number, event_id);
    -- It may be a superuser who runs this.
    select relowner::regrole into owner from pg_class where oid = 'event_key'::regclass;
    execute format('alter table event_key_next owner to %s', owner);
    for privilege in
        select privilege_type, case when grantee = 0 then 'public' else grantee::regrole::text end as grantee
        from pg_class
        cross join lateral aclexplode(relacl)
        where oid = 'event_key'::regclass
            and grantee <> relowner
    loop
        execute format('grant %s on event_key_next to %s', privilege.privilege_type, privilege.grantee);
    end loop;
    create trigger event_key_renewal
        after insert on event_key
        referencing new table as new_key
        for each statement
        execute function note_event_keys();
    update event_key_set set next_kept_from = null;
end
$$;

-- Puts the next set of keys in the place of the old one, which is dropped.
create function finish_event_key_renewal() returns void
    language plpgsql
    set search_path from current
as $$
begin
    lock table event_key in access exclusive mode;
    delete from event_key_next where app_number in (select app_number from deleted_app);
    drop table event_key;
    alter table event_key_next rename to event_key;
    alter table event_key rename constraint event_key_next_pkey to event_key_pkey;
    update event_key_set set kept_from = next_kept_from, next_kept_from = null;
end
$$;

-- Keeps keys of an app for ever: those of events that are deleted with their person, so that no retry brings them back.
-- A renewal that begins waits for this transaction. One that has begun gets the keys here.
create function keep_event_keys(app integer, ids uuid[]) returns void
    language plpgsql
    set search_path from current
as $$
begin
    insert into event_key (app_number, event_id, received_at)
    select app, id, 'infinity'
    from unnest(ids) as kept (id)
    order by id
    on conflict (app_number, event_id) do update set received_at = 'infinity';
    if to_regclass('event_key_next') is not null then
        insert into event_key_next (app_number, event_id, received_at)
        select app, id, 'infinity'
        from unnest(ids) as kept (id)
        order by id
        on conflict (app_number, event_id) do update set received_at = 'infinity';
    end if;
end
$$;

-- The last time that an app's history was read again by today's rules (docs/rules.md).
create table reread (
    app_number integer not null,
    -- By which version of the app's rules; 0: it has none.
    rules_version integer not null,
    began_at timestamptz not null,
    -- Null: it is being read again, or that was interrupted.
    finished_at timestamptz,
    -- The last transaction that rewrote events, then the one that noted the end.
    last_transaction bigint not null,
    constraint reread_pkey primary key (app_number)
);

-- =====================================================================================================================
-- People: who a device and a click stand for
-- =====================================================================================================================

-- Who a device and a click stand for (docs/events.md). Derived from events: the earliest wins, for a click the earliest
-- install before all others. So the result is the same for every order of arrival.

create table device_link (
    app_number integer not null,
    device_id text collate "C" not null,
    user_id text collate "C" not null,
    -- The event that says so.
    occurred_at timestamptz not null,
    event_id uuid not null,
    -- The transaction that made the link what it is, so that readers of packed timelines know what has changed since.
    transaction_number bigint not null,
    constraint device_link_pkey primary key (app_number, device_id)
);

create table click_link (
    app_number integer not null,
    click_id text collate "C" not null,
    -- The user of the event that says so. If it names none, its device.
    user_id text collate "C",
    device_id text collate "C",
    -- 0: the event is an install; 1: another. The smallest (precedence, occurred_at, event_id) wins.
    precedence integer not null,
    occurred_at timestamptz not null,
    event_id uuid not null,
    -- The transaction that made the link what it is, so that readers of packed timelines know what has changed since.
    transaction_number bigint not null,
    constraint click_link_pkey primary key (app_number, click_id),
    constraint click_link_owner check (user_id is not null or device_id is not null)
);

-- For: the links changed since segments were packed, at every report.
create index device_link_by_transaction on device_link using brin (transaction_number)
    with (pages_per_range = 32, autosummarize = on);
create index click_link_by_transaction on click_link using brin (transaction_number)
    with (pages_per_range = 32, autosummarize = on);

-- For: the devices and clicks of a user (sql/people/select_person_devices.sql, select_person_clicks.sql).
create index device_link_by_user on device_link (app_number, user_id);
create index click_link_by_user on click_link (app_number, user_id)
    where user_id is not null;

-- For: the clicks that a device stands for (sql/figures/select_changes.sql).
create index click_link_by_device on click_link (app_number, device_id)
    where user_id is null;

-- The installation that has used the code of a click: no other one gets an answer. A row is of no use once the code is
-- too old, and is deleted by the retention.
create table click_code_use (
    app_number integer not null,
    click_id uuid not null,
    -- Half of the SHA-256 of the click and the device; null: the one who asked named no device, and cannot ask again.
    installation uuid,
    used_at timestamptz not null default now(),
    constraint click_code_use_pkey primary key (app_number, click_id)
);

-- A daemon remembers which devices and clicks it has seen linked, and the time of the event, so that it need not ask
-- for every event of a known device. This counts removals of links: a daemon that reads another number than before
-- forgets everything. A trigger counts, in the removing transaction and before the removal, so that this transaction
-- waits for others before it holds a link that they want.
create table link_revision (
    is_only_row boolean not null default true,
    revision bigint not null,
    constraint link_revision_pkey primary key (is_only_row),
    constraint link_revision_one check (is_only_row)
);
insert into link_revision (revision) values (0);

create function note_link_removal() returns trigger
    language plpgsql
    security definer
    set search_path from current
as $$
begin
    update link_revision set revision = revision + 1;
    return null;
end
$$;
create trigger device_link_removal before delete or truncate on device_link
    for each statement execute function note_link_removal();
create trigger click_link_removal before delete or truncate on click_link
    for each statement execute function note_link_removal();

-- A transaction that stores an event while the link of its device or click is being removed still sees the link, and
-- adds none. So the links of events that came in meanwhile are added again after the removal. The removing transaction
-- notes it here until that is done: if the program is killed before, the next removal does it.
create table link_removal (
    app_number integer not null,
    -- The transaction that removed the links.
    transaction_number bigint not null,
    -- The events may be of this transaction and later ones.
    stored_from bigint not null,
    constraint link_removal_pkey primary key (app_number, transaction_number)
);

-- =====================================================================================================================
-- Rejected events
-- =====================================================================================================================

-- Dead letters: every rejected event, redacted, with its reason.

create table rejected_event (
    rejection_id uuid not null default gen_random_uuid(),
    app_number integer not null,
    received_at timestamptz not null,
    key_prefix text not null,
    event_id text,
    code text not null,
    field text,
    message text not null,
    event text not null,
    -- If PostgreSQL itself refused the event: the event as it had been read (EventCoding). Null for all others: these
    -- are read again.
    encoded_event text,
    constraint rejected_event_pkey primary key (rejection_id)
);

-- For: `tributary rejected list`, newest first.
create index rejected_event_by_app_and_time on rejected_event (app_number, received_at);

-- For: `tributary rejected list`, `retry` and `purge` over all apps, by time.
create index rejected_event_by_time on rejected_event (received_at, rejection_id);

-- =====================================================================================================================
-- Deletion
-- =====================================================================================================================

-- An erased person's keys, as hashes. Events that were received before the erasure and are stored after it (from a
-- spool elsewhere, or in flight) are dropped. Rows go with the retention (docs/privacy.md).
create table erasure (
    app_number integer not null,
    -- person_key_hash()
    key_hash bytea not null,
    -- Events received before this time are dropped.
    erased_at timestamptz not null,
    constraint erasure_pkey primary key (app_number, key_hash)
);

-- For: whether anything has been erased since a group of events was received (store_events.sql).
create index erasure_by_time on erasure (erased_at);

-- The SHA-256 of a key of a person: `u` and a user id, `d` and a device id, `c` and a click id. The app's
-- number is not in it: it is another one in the database that an app moves to.
create function person_key_hash(key text) returns bytea
    language sql
    immutable
    strict
as $$
    select sha256(convert_to(key, 'UTF8'))
$$;

-- Whose an event is (docs/events.md, *People*), as a key of the person; null: nobody's. The first of these that is
-- known: the user; the device's user; the device; the click's user; the user of the click's device; the click's device;
-- the click.
--
-- $1, $3, $5 are the event's own ids, $2 its device's user, $4 the owner of its click. It is put into queries as
-- `is_story_post` is, also with subqueries as arguments, because it names each only once.
create function event_person(
    user_id text,
    device_user text,
    device_id text,
    owner_of_click text,
    click_id text
) returns text
    language sql
    immutable
    parallel safe
as $$
    select coalesce('u' || user_id, 'u' || device_user, 'd' || device_id, owner_of_click, 'c' || click_id)
$$;

-- The owner of a click: a row of `click_link`, $2 the user of its device.
create function click_owner(user_id text, device_user text, device_id text) returns text
    language sql
    immutable
    parallel safe
as $$
    select event_person(user_id, device_user, device_id, null, null)
$$;

-- The key that decides whose an event is: the first of its own ids. Its person follows from it and from the links.
create function event_owner(user_id text, device_id text, click_id text) returns text
    language sql
    immutable
    parallel safe
as $$
    select event_person(user_id, null, device_id, null, click_id)
$$;

-- Whether an event is an erased person's and was received before the erasure. The first of its ids says whose it is.
create function is_erased(
    app_number integer,
    user_id text,
    device_id text,
    click_id text,
    received_at timestamptz
) returns boolean
    language sql
    stable
as $$
    select exists (
        select
        from erasure
        where erasure.app_number = is_erased.app_number
            and erasure.key_hash = person_key_hash(
                event_owner(is_erased.user_id, is_erased.device_id, is_erased.click_id)
            )
            and erasure.erased_at > is_erased.received_at
    )
$$;

-- Apps that have been deleted, or are being deleted: nothing of them is stored any more, whatever still waits in a
-- spool. Kept for ever, because a number is never given again.
create table deleted_app (
    app_number integer not null,
    deleted_at timestamptz not null default clock_timestamp(),
    constraint deleted_app_pkey primary key (app_number)
);

-- What was deleted, when, and how many rows. Nothing here says of whom.
create table deletion_receipt (
    receipt_id uuid not null default gen_random_uuid(),
    -- person: one person of an app; app: a whole app; retention: what was too old.
    kind text not null,
    -- The app's id; null: every app.
    app_id text,
    started_at timestamptz not null,
    finished_at timestamptz not null default clock_timestamp(),
    -- Rows deleted, by table, and whatever else is a number.
    counts jsonb not null,
    constraint deletion_receipt_pkey primary key (receipt_id),
    constraint deletion_receipt_kind check (kind in ('person', 'app', 'retention'))
);

-- Which database this is. A spool delivers to the database for which its events were answered, because an app's number
-- means something only there. A copy made by pg_dump, a base backup or replication is the same one.
create table database_identity (
    is_only_row boolean not null default true,
    identity uuid not null default gen_random_uuid(),
    constraint database_identity_pkey primary key (is_only_row),
    constraint database_identity_one check (is_only_row)
);
insert into database_identity default values;

-- Apps that move to another database, or have moved there (docs/moving.md). The row stays when the app is deleted here:
-- what a spool still has of it belongs to the other database.
create table app_departure (
    app_number integer not null,
    -- Which database the app moves to (`database_identity`).
    target uuid not null,
    started_at timestamptz not null default clock_timestamp(),
    -- From then on, nothing of the app is stored or changed here.
    barred_at timestamptz,
    -- When it had arrived there.
    moved_at timestamptz,
    constraint app_departure_pkey primary key (app_number)
);

-- Apps that come from another database. Their rows in `app` are made last: until then, nothing here knows of them.
create table app_arrival (
    -- What the app is here.
    app_number integer not null,
    app_id text not null,
    -- The database that it comes from, and what the app is there.
    source uuid not null,
    source_app_number integer not null,
    started_at timestamptz not null default clock_timestamp(),
    -- All events of transactions below it are copied. The round under way copies those below `round_through`, and has
    -- copied what happened before `round_position`; null: nothing yet.
    copied_through bigint not null default 0,
    round_through bigint,
    round_position timestamptz,
    -- All links of people of transactions below it are copied, if none was removed there since: when that database had
    -- this `link_revision`. Null: none is copied.
    links_through bigint not null default 0,
    link_revision bigint,
    -- When its removal from here was begun, last.
    undone_at timestamptz,
    arrived_at timestamptz,
    constraint app_arrival_pkey primary key (app_number),
    constraint app_arrival_source unique (source, source_app_number)
);

-- What apps that came from other databases were there, and in those where they were before. The rows stay when the app
-- is deleted: spools of those databases may hold its events.
create table app_origin (
    app_number integer not null,
    database uuid not null,
    number integer not null,
    constraint app_origin_pkey primary key (database, number, app_number)
);

-- Refuses to store anything of an app that moves away. Programs know the table of the error (`isOfMovingApp`); to all
-- others the database is read-only.
create function refuse_moving_app(app_number integer) returns boolean
    language plpgsql
    volatile
as $$
begin
    raise exception 'the app % moves to another database, or has moved there',
        coalesce(
            (select quote_literal(app_id) from app where app.app_number = refuse_moving_app.app_number),
            app_number::text
        )
        using errcode = 'read_only_sql_transaction', table = 'app_departure';
end
$$;

-- Keeps people and programs from changing what is copied when an app moves. What they delete after the move would only
-- go here.
create function refuse_change_of_moving_app() returns trigger
    language plpgsql
    security definer
    set search_path from current
as $$
begin
    if exists (
        select
        from app_departure
        where app_number = coalesce(new.app_number, old.app_number)
            and barred_at is not null
            and (moved_at is null or tg_op <> 'DELETE')
            -- Its rows go.
            and app_number <> all (array(select app_number from deleted_app))
    ) then
        perform refuse_moving_app(coalesce(new.app_number, old.app_number));
    end if;
    return coalesce(new, old);
end
$$;

-- Where webhooks and schedules send from (`OutgoingGate`): this database, and no copy of it. No row: nothing was sent.
create table outgoing (
    is_only_row boolean not null default true,
    -- As `outgoing_home()` says it there.
    home text not null,
    timeline_id integer not null,
    is_paused boolean not null default false,
    constraint outgoing_pkey primary key (is_only_row),
    constraint outgoing_one check (is_only_row)
);

-- The server, the database and the table, by their numbers. `pg_restore`, also over the same database, makes another
-- table; `createdb --template` another database.
create function outgoing_home() returns text
    language sql
    stable
    set search_path from current
as $$
    select concat_ws(' ', system_identifier, pg_database.oid, 'outgoing'::regclass::oid)
    from pg_control_system()
    cross join pg_database
    where datname = current_database()
$$;

-- =====================================================================================================================
-- Packed timelines
-- =====================================================================================================================

-- The events of an app up to a transaction, sorted by person and encoded, so that reports read them at the speed of a
-- file (docs/architecture.md). All of it is derived from `event` and can be thrown away at any time.

-- How far an app's events are packed.
create table timeline_state (
    app_number integer not null,
    -- Events of transactions below it are packed, the others are the delta. 0: nothing is packed.
    packed_through bigint not null default 0,
    -- Segments know every device's and click's owner as of this transaction.
    linked_through bigint not null default 0,
    -- The segments that count. Those of another generation are being made or removed.
    generation integer not null default 1,
    next_segment integer not null default 1,
    events bigint not null default 0,
    -- The latest touch that was given a story's refs, or may be.
    last_story_touch timestamptz not null default '-infinity',
    -- Whether a touch names the id of its post.
    has_post_ids boolean not null default false,
    -- The generation of segments that was begun last. A rebuild that finds another one has been overtaken.
    begun_generation integer not null default 0,
    -- Events before it are being deleted, and are taken out of the segments afterwards. Null: none are.
    removing_before timestamptz,
    -- Whether packed events have been redacted since: the app's timelines must be packed again.
    must_rebuild boolean not null default false,
    -- The declared properties that all segments have (`AppProperty.id`).
    properties text[] not null default '{}',
    -- Counts removals from the segments, so that a program that packs at the same time notices.
    revision bigint not null default 0,
    -- The key of the hashes of people, so that nobody can choose ids that make two people one.
    hash_key bytea not null default decode(replace(gen_random_uuid()::text, '-', ''), 'hex'),
    constraint timeline_state_pkey primary key (app_number),
    constraint timeline_state_app_fkey foreign key (app_number) references app on delete cascade
);

-- Events of people whose hash begins with the bucket's number, from one month. A person's events may lie in several
-- segments; they are put together when they are read.
create table timeline_segment (
    app_number integer not null,
    generation integer not null,
    bucket smallint not null,
    -- UTC, its first day.
    month date not null,
    -- Installs and deferred links, which matter to reports on later months too, apart from the others.
    is_lasting boolean not null,
    segment integer not null,
    events integer not null,
    -- For each person a head and 8 bytes an event.
    strands bytea not null,
    -- Values that not every report reads, in the order of the events that have them.
    ids bytea not null,
    refs bytea not null,
    stories bytea not null,
    ref_origins bytea not null,
    clicks bytea not null,
    goals bytea not null,
    amounts bytea not null,
    referers bytea not null,
    targets bytea not null,
    links bytea not null,
    opened_clicks bytea not null,
    app_versions bytea not null,
    countries bytea not null,
    languages bytea not null,
    -- Declared properties. An app without any has 4 bytes here.
    properties bytea not null,
    -- Of the columns (`EncodedSegment`).
    format smallint not null,
    constraint timeline_segment_pkey primary key (app_number, generation, bucket, month, is_lasting, segment),
    constraint timeline_segment_state_fkey foreign key (app_number) references timeline_state on delete cascade
);

-- Packed columns do not compress well, and reading them must cost nothing.
alter table timeline_segment alter column strands set storage external;
alter table timeline_segment alter column ids set storage external;
alter table timeline_segment alter column refs set storage external;
alter table timeline_segment alter column stories set storage external;
alter table timeline_segment alter column ref_origins set storage external;
alter table timeline_segment alter column clicks set storage external;
alter table timeline_segment alter column goals set storage external;
alter table timeline_segment alter column amounts set storage external;
alter table timeline_segment alter column referers set storage external;
alter table timeline_segment alter column links set storage external;
alter table timeline_segment alter column opened_clicks set storage external;
alter table timeline_segment alter column app_versions set storage external;
alter table timeline_segment alter column countries set storage external;
alter table timeline_segment alter column languages set storage external;
alter table timeline_segment alter column properties set storage external;

-- How far a rebuild of an app's timelines is, so that one that was interrupted goes on.
create table timeline_rebuild (
    app_number integer not null,
    -- The number of its segments.
    generation integer not null,
    -- Events of transactions below it are packed.
    horizon bigint not null,
    -- `timeline_state.revision` when it began. If that has changed, it starts again.
    revision bigint not null,
    -- The declared properties that its segments have.
    properties text[] not null,
    -- The months whose segments are made, and what is known of their events, as in `timeline_state`.
    months date[] not null default '{}',
    events bigint not null default 0,
    last_story_touch timestamptz not null default '-infinity',
    has_post_ids boolean not null default false,
    constraint timeline_rebuild_pkey primary key (app_number),
    constraint timeline_rebuild_state_fkey foreign key (app_number) references timeline_state on delete cascade
);

-- Stories whose posts have changed since their touches were packed: a post came late, or was deleted.
create table changed_story (
    app_number integer not null,
    -- The story key. For a post's id, `story_of_post(post_id)`.
    story uuid not null,
    -- If it is a post's id.
    post_id text collate "C",
    transaction_number bigint not null,
    constraint changed_story_pkey primary key (app_number, story),
    constraint changed_story_state_fkey foreign key (app_number) references timeline_state on delete cascade
);

-- A post's id as a story.
create function story_of_post(post_id text) returns uuid
    language sql
    immutable
    parallel safe
    return encode(substring(sha256(convert_to('post ' || post_id, 'UTF8')) for 16), 'hex')::uuid;

-- =====================================================================================================================
-- Webhooks: what was told
-- =====================================================================================================================

-- The installs and conversions that a webhook tells, from their receipt until they are settled (docs/webhooks.md).
create table webhook_event (
    app_number integer not null,
    webhook_id text collate "C" not null,
    event_id uuid not null,
    occurred_at timestamptz not null,
    received_at timestamptz not null,
    transaction_number bigint not null,
    -- The credits of the last word, as JSON: `null` if the event does not count. Null: nothing was told yet. Empty:
    -- they were deleted with a person whom they named.
    told text,
    -- Whose it was at the last word.
    person text collate "C",
    -- The person and the devices and clicks whose events are the person's; if these are many, the person alone.
    keys text[] collate "C" not null default '{}',
    -- The people whom the credits name.
    mentioned text[] collate "C" not null default '{}',
    -- Something has changed since the last word, or nothing was told yet.
    is_stale boolean not null default true,
    -- When a pass saw that it is stale. What was marked first is looked at first, so that no person whose events change
    -- all the time keeps others waiting.
    marked_at timestamptz not null default now(),
    -- The last word was told. The row stays while the event may still be found as new, or the word waits.
    is_settled boolean not null default false,
    -- The event was deleted with its person. Its last word is still to be told.
    is_erased boolean not null default false,
    constraint webhook_event_pkey primary key (app_number, webhook_id, event_id)
);

-- For: the next events to look at.
create index webhook_event_stale on webhook_event (app_number, webhook_id, marked_at, received_at)
    where is_stale and not is_settled;
create index webhook_event_due on webhook_event (app_number, webhook_id, received_at)
    where not is_settled;
create index webhook_event_settled on webhook_event (app_number, webhook_id, transaction_number)
    where is_settled;

-- For: the events that a change of a person, a device or a click concerns. It is asked for many keys at once, and would
-- read a list of pending entries for each.
create index webhook_event_by_key on webhook_event using gin (keys) with (fastupdate = off);

-- The devices and clicks of people who have too many for a list with each event, such as a user id that many share.
-- What a person has lost stays while an event of the person is not settled: it may concern this event.
create table webhook_person_key (
    app_number integer not null,
    key text collate "C" not null,
    webhook_id text collate "C" not null,
    person text collate "C" not null,
    constraint webhook_person_key_pkey primary key (app_number, key, webhook_id, person)
);

-- For: a person whose event was settled (sql/webhooks/delete_person_keys.sql), and the deletion of one.
create index webhook_person_key_by_person on webhook_person_key (app_number, person, webhook_id);

-- The words that wait to be delivered. A delivered word is deleted.
create table webhook_delivery (
    app_number integer not null,
    webhook_id text collate "C" not null,
    -- In the order in which they were told.
    number bigint not null,
    -- What identifies it for its receiver.
    message_id text collate "C" not null,
    event_id uuid not null,
    -- When the event was: retention deletes the words of old events.
    occurred_at timestamptz not null,
    body text not null,
    -- The people whom the body names.
    mentioned text[] collate "C" not null,
    created_at timestamptz not null default now(),
    attempts integer not null default 0,
    next_attempt_at timestamptz not null default now(),
    last_error text,
    -- When it was given up.
    dead_at timestamptz,
    constraint webhook_delivery_pkey primary key (app_number, webhook_id, number)
);

-- For: the words of an event (sql/people/erase_webhook_events.sql). Only by event, so that it never stands for the
-- primary key: the planner often expects no words, and then takes any index.
create index webhook_delivery_by_event on webhook_delivery (event_id);

-- For: words that were given up, when a later one of their event is delivered.
create index webhook_delivery_given_up on webhook_delivery (app_number, webhook_id)
    where dead_at is not null;

-- =====================================================================================================================
-- Figures for BI tools
-- =====================================================================================================================

-- Daily, weekly and monthly figures (docs/bi.md): the rows of reports, written by the folds that make the reports. All
-- of it is derived from events and can be thrown away. It holds counts, names of refs and values of properties, and no
-- id of a person.

create type figures_granularity as enum ('day', 'week', 'month');
-- Figures that are refreshed together, because the same events change them.
create type figures_family as enum ('totals', 'person_properties', 'funnels', 'retention', 'viral', 'activity');

-- How far the figures of an app are. No row: none have been made yet.
create table figures_state (
    app_number integer not null,
    -- What the figures were made with. If one differs, they are made again.
    definition integer not null,
    time_zone text not null,
    currency text not null,
    -- The declared properties that have figures, each with its number of values.
    properties text[] not null,
    -- Which events have been taken into account: those that this snapshot sees, and all below the horizon
    -- (`transaction_horizon()`). The generation is the one that the snapshot's transaction ids are of.
    horizon bigint not null,
    generation bigint not null,
    snapshot text not null,
    -- When that was.
    looked_at timestamptz not null,
    -- Retention has removed events before this time. Figures go on counting them.
    removed_before timestamptz,
    -- Events were deleted: all figures are made again (`invalidate_figures`).
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
    -- The present figures count every event up to this look.
    complete_through timestamptz not null,
    -- A new one each time the period becomes stale, so that a period that becomes stale during a refresh stays so.
    mark uuid not null default gen_random_uuid(),
    constraint stale_figures_pkey primary key (app_number, family, granularity, starts_on),
    constraint stale_figures_app foreign key (app_number) references app on delete cascade
);

-- The periods that have figures: those in which anything happened or people were active. Days are of the app's time zone. The instants are
-- where that zone's clocks had them.
create table figures_period (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    constraint figures_period_pkey primary key (app_number, granularity, starts_on),
    constraint figures_period_app foreign key (app_number) references app on delete cascade
);

-- What figures by properties of people were computed of (`ValueDigests`): a value that is told today may be that of
-- events of any day.
create table figures_digest (
    app_number integer not null,
    day date not null,
    digest bigint not null,
    constraint figures_digest_pkey primary key (app_number, day),
    constraint figures_digest_app foreign key (app_number) references app on delete cascade
);

-- In the following tables, a row is a row of a report of one period, and `position` is its place there, from 1.

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
    value numeric,
    constraint attribution_figures_pkey primary key (app_number, granularity, starts_on, event, grouping, position),
    constraint attribution_figures_app foreign key (app_number) references app on delete cascade
);

create table property_figures (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    property text collate "C" not null,
    position integer not null,
    is_total boolean not null,
    group_name text collate "C" not null,
    touches bigint not null,
    people bigint not null,
    authenticated_touches bigint not null,
    installs numeric not null,
    conversions numeric not null,
    paying_people bigint not null,
    value numeric not null,
    share numeric,
    constraint property_figures_pkey primary key (app_number, granularity, starts_on, property, position),
    constraint property_figures_app foreign key (app_number) references app on delete cascade
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
    -- People who reached the step after a time that nobody knows.
    unknown_times bigint not null,
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

create table viral_figures (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    grouping text not null,
    position integer not null,
    is_total boolean not null,
    group_name text collate "C" not null,
    posts bigint not null,
    posters bigint not null,
    touches bigint not null,
    people bigint not null,
    untraced_touches bigint not null,
    installs numeric not null,
    k numeric,
    installs_per_post numeric,
    posts_with_installs bigint not null,
    cycle_median_seconds numeric,
    constraint viral_figures_pkey primary key (app_number, granularity, starts_on, grouping, position),
    constraint viral_figures_app foreign key (app_number) references app on delete cascade
);

create table activity_figures (
    app_number integer not null,
    granularity figures_granularity not null,
    starts_on date not null,
    position integer not null,
    is_total boolean not null,
    active bigint not null,
    new_people bigint not null,
    returning_people bigint not null,
    resurrected_people bigint not null,
    dormant_people bigint not null,
    -- Null until the app has so many days.
    active_7d bigint,
    active_30d bigint,
    stickiness numeric,
    constraint activity_figures_pkey primary key (app_number, granularity, starts_on, position),
    constraint activity_figures_app foreign key (app_number) references app on delete cascade
);

-- Call it in the transaction that deletes events of an app or the links of its people: the figures are then made again.
-- Figures of a deleted app go by the foreign keys.
create function invalidate_figures(app_number integer) returns void
    language sql
    set search_path from current
as $$
    insert into figures_state (
        app_number, definition, time_zone, currency, properties, horizon, generation, snapshot, looked_at, is_invalid
    )
    values (invalidate_figures.app_number, 0, '', '', '{}', 0, 0, '', '-infinity', true)
    on conflict (app_number) do update
        set is_invalid = true
$$;

-- The views that BI tools read (`sql/views`), as they were last made.
create table bi_views (
    is_only_row boolean not null default true,
    -- Of the program that made them. An older one leaves them alone.
    version integer not null,
    checksum text not null,
    -- The views to drop before others are made.
    names text[] not null,
    created_at timestamptz not null default now(),
    constraint bi_views_pkey primary key (is_only_row),
    constraint bi_views_one check (is_only_row)
);

-- =====================================================================================================================
-- Short links
-- =====================================================================================================================

-- The hosts of each app, its links, and counts of requests that are no clicks (docs/redirects.md).

create table link_host (
    host text collate "C" not null,
    app_number integer not null,
    -- The order in which the app names its hosts. New links are on the first.
    position integer not null,
    constraint link_host_pkey primary key (host)
);

-- For: the hosts of an app.
create index link_host_by_app on link_host (app_number, position);

-- A link that is deleted keeps its row, so that its slug stays taken.
create table link (
    app_number integer not null,
    host text collate "C" not null,
    slug text collate "C" not null,
    target_url text,
    mobile_url text,
    app_url text,
    fallback text not null,
    ref text[] not null,
    channel text,
    title text,
    description text,
    image_url text,
    site_name text,
    og_type text,
    forward_query boolean not null,
    append_click_id boolean not null,
    campaign text,
    expires_at timestamptz,
    expired_url text,
    disabled boolean not null,
    note text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    -- Of its last change (link_table_revision).
    revision bigint not null,
    -- A hash of the fields without host, slug and times.
    content_hash bigint not null,
    constraint link_pkey primary key (host, slug)
);

-- For: the links of an app (`tributary link list`, `tributary link export`).
create index link_by_app on link (app_number, host, slug);

-- For: the newest links of an app.
create index link_by_age on link (app_number, created_at, host, slug);

-- For: a live link with equal fields (`tributary link create --reuse`).
create index link_by_content on link (app_number, content_hash) where deleted_at is null;

-- For: the links that have changed since a daemon read them.
create index link_by_revision on link (revision);

-- The number of the last change of a link, of a host, or of an app. A change raises it in its own transaction before it
-- writes anything else. The row is then locked, so the changes become visible in the order of their numbers.
create table link_table_revision (
    is_only_row boolean not null default true,
    revision bigint not null,
    -- Who has read an earlier revision must read all links again: rows of an app have been deleted since.
    complete_since bigint not null,
    constraint link_table_revision_pkey primary key (is_only_row),
    constraint link_table_revision_one check (is_only_row)
);
insert into link_table_revision (revision, complete_since) values (1, 1);

-- Requests that are no clicks, by link and day (UTC).
create table link_hits (
    app_number integer not null,
    host text collate "C" not null,
    slug text collate "C" not null,
    day date not null,
    preview bigint not null,
    bot bigint not null,
    head bigint not null,
    prefetch bigint not null,
    embed bigint not null,
    constraint link_hits_pkey primary key (host, slug, day)
);

-- For: the figures of an app (`tributary report links`).
create index link_hits_by_app on link_hits (app_number, day);

-- =====================================================================================================================
-- Moves
-- =====================================================================================================================

-- What people and programs change of an app, and a move copies last. Not `app` (`update_app.sql`): Citus knows no
-- triggers of tables that are on every node.
do $$
declare
    name text;
begin
    foreach name in array array[
        'app_secret', 'api_key', 'app_rules', 'question', 'shared_page', 'question_run', 'erasure', 'reread',
        'click_code_use', 'import_progress', 'link', 'link_host'
    ] loop
        execute format(
            'create trigger refuse_when_moving before insert or update on %I '
            'for each row execute function refuse_change_of_moving_app()',
            name
        );
    end loop;
    foreach name in array array[
        'app_property', 'question_schedule', 'note', 'exchange_rate', 'cost', 'webhook', 'dashboard_role'
    ] loop
        execute format(
            'create trigger refuse_when_moving before insert or update or delete on %I '
            'for each row execute function refuse_change_of_moving_app()',
            name
        );
    end loop;
end
$$;

-- =====================================================================================================================
-- Rights
-- =====================================================================================================================

-- Functions that write with their owner's rights are for roles that store events: deploy/postgresql/grants.sql.
revoke execute on function
    ensure_event_partition(date),
    current_transaction_number(),
    summarize_events(),
    note_link_removal(),
    note_event_keys(),
    refuse_change_of_moving_app(),
    begin_event_key_renewal(),
    finish_event_key_renewal(),
    keep_event_keys(integer, uuid[])
from public;
