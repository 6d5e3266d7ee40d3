-- SQLite. Counts the waiting requests after a position and up to another.
select
    count(*) as batches,
    coalesce(sum(events), 0) as events,
    coalesce(sum(length(payload)), 0) as bytes,
    min(received_at) as oldest_received_at
from batch
where position > ?
    and position <= ?
