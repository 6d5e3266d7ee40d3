-- Packed timelines: the events of an app up to a transaction, sorted by person and encoded, so that reports read them at
-- the speed of a file (docs/architecture.md). All of it is derived from `event` and can be thrown away at any time.

-- How far an app's events are packed.
create table timeline_state (
    app_number integer not null,
    -- Events of transactions below it are packed, the others are the tail; 0: nothing is packed.
    packed_through bigint not null default 0,
    -- Segments know every device's and click's owner as of this transaction.
    linked_through bigint not null default 0,
    -- The segments that count; those of another generation are being made, or going.
    generation integer not null default 1,
    next_segment integer not null default 1,
    events bigint not null default 0,
    -- The latest touch that was given a story's refs, or may be.
    last_story_touch timestamptz not null default '-infinity',
    -- Whether a touch names the id of its post.
    has_post_ids boolean not null default false,
    -- Counts what was taken out of the segments, so that who packs at the same time notices.
    revision bigint not null default 0,
    -- Keys the hashes of people, so that nobody who chooses ids can make two people one.
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
    -- What not every report reads, in the order of the events that have it.
    ids bytea not null,
    refs bytea not null,
    stories bytea not null,
    clicks bytea not null,
    goals bytea not null,
    amounts bytea not null,
    referers bytea not null,
    targets bytea not null,
    constraint timeline_segment_pkey primary key (app_number, generation, bucket, month, is_lasting, segment),
    constraint timeline_segment_state_fkey foreign key (app_number) references timeline_state on delete cascade
);

-- What is packed does not compress well, and reading it must cost nothing.
alter table timeline_segment alter column strands set storage external;
alter table timeline_segment alter column ids set storage external;
alter table timeline_segment alter column refs set storage external;
alter table timeline_segment alter column stories set storage external;
alter table timeline_segment alter column clicks set storage external;
alter table timeline_segment alter column goals set storage external;
alter table timeline_segment alter column amounts set storage external;
alter table timeline_segment alter column referers set storage external;

-- Stories whose posts are not those that packed touches know: a post came late, or was deleted.
create table changed_story (
    app_number integer not null,
    -- The story key; for a post's id `story_of_post(post_id)`.
    story uuid not null,
    -- Where it is a post's id.
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

-- Which transaction made a link what it is, so that readers of packed timelines know what has changed since.
alter table device_link add column transaction_number bigint not null default 0;
alter table click_link add column transaction_number bigint not null default 0;

-- For: the links changed since segments were packed, at every report.
create index device_link_by_transaction on device_link using brin (transaction_number)
    with (pages_per_range = 32, autosummarize = on);
create index click_link_by_transaction on click_link using brin (transaction_number)
    with (pages_per_range = 32, autosummarize = on);
