-- How far the import of a file has come. It is written in the transaction that stores the events up to there, so that an
-- import that was interrupted goes on exactly where it stopped. It can be deleted at any time: the import then begins anew,
-- and the ids of the events see to it that nothing is stored twice.
create table import_progress (
    app_number integer not null,
    -- Made from the beginning of the content and from the settings that decide what becomes of a line.
    source_id uuid not null,
    -- Behind the last line that is done: bytes of the content, inflated, and lines.
    byte_offset bigint not null,
    line_number bigint not null,
    -- Made from all content up to there.
    fingerprint bytea not null,
    -- Lines up to there that were rejected.
    rejected bigint not null,
    is_finished boolean not null,
    updated_at timestamptz not null default now(),
    constraint import_progress_pkey primary key (app_number, source_id)
);
