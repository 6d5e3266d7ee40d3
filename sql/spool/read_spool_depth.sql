-- SQLite. Counts the waiting requests up to a position.
select
    count(*) as batches,
    coalesce(sum(events), 0) as events,
    coalesce(sum(length(payload)), 0) as bytes,
    min(received_at) as oldest_received_at
from batch
where position <= ?
