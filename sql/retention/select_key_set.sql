-- Which keys `event_key` has (`event_key_set`), and whether a renewal has begun.
select
    kept_from,
    next_kept_from,
    to_regclass('event_key_next') is not null as has_begun
from event_key_set
