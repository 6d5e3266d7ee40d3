-- Which keys `event_key` has (`event_key_set`); whether a renewal has begun; and whether keys of deleted people's events
-- may be among them that are not marked. They are marked since migration 0036.
select
    kept_from,
    next_kept_from,
    to_regclass('event_key_next') is not null as has_begun,
    kept_from = '-infinity' and exists (select from deletion_receipt where kind = 'person') as has_erasures
from event_key_set
