-- Whether events that are packed have been redacted since (`tributary redact`): the app's timelines must be packed again.
-- It is set in the transaction that redacts, so that whoever goes on after an interruption knows.
alter table timeline_state add column must_rebuild boolean not null default false;
