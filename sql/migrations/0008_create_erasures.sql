-- What deletion needs: which people have been erased, which apps are being deleted, and what was deleted (docs/privacy.md).

-- An erased person's keys, as hashes: what was received before and is stored after (from a spool elsewhere, or in flight)
-- is dropped by them. Rows go with the retention.
create table erasure (
    app_number integer not null,
    -- person_key_hash()
    key_hash bytea not null,
    -- Events received before this time are dropped.
    erased_at timestamptz not null,
    constraint erasure_pkey primary key (app_number, key_hash)
);

-- For: whether anything at all has been erased since a group of events was received (store_events.sql).
create index erasure_by_time on erasure (erased_at);

-- The SHA-256 of a key of a person: `u` and a user id, `d` and a device id, `c` and a click id.
create function person_key_hash(app_number integer, key text) returns bytea
    language sql
    immutable
    strict
as $$
    select sha256(convert_to(app_number || ' ' || key, 'UTF8'))
$$;

-- Whether an event is one of an erased person and was received before that. The first of its ids says whose it is.
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
                is_erased.app_number,
                coalesce('u' || is_erased.user_id, 'd' || is_erased.device_id, 'c' || is_erased.click_id)
            )
            and erasure.erased_at > is_erased.received_at
    )
$$;

-- Apps that have been deleted, or are being deleted: nothing of them is stored any more, whatever still waits in a spool.
-- For ever, since a number is never given again.
create table deleted_app (
    app_number integer not null,
    deleted_at timestamptz not null default clock_timestamp(),
    constraint deleted_app_pkey primary key (app_number)
);

-- What was deleted, when and how much of it. Nothing here says of whom.
create table deletion_receipt (
    receipt_id uuid not null default gen_random_uuid(),
    -- person: one person of an app; app: a whole app; retention: what had become too old.
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
