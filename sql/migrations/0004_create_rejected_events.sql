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
    constraint rejected_event_pkey primary key (rejection_id)
);

-- For: `tributary rejected list`, newest first.
create index rejected_event_by_app_and_time on rejected_event (app_number, received_at);
