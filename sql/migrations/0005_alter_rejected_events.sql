-- What it takes to retry a dead letter that PostgreSQL itself refused: the event as it had been read (EventCoding), since
-- what was sent is not known any more by then. Null for all others, which are read again.
alter table rejected_event add column encoded_event bytea;

-- For: `tributary rejected list`, `retry` and `purge` over all apps, by time.
create index rejected_event_by_time on rejected_event (received_at, rejection_id);
