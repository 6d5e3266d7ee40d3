-- What retention would delete, by table: events that happened before $1, keys of events received before $2, dead letters
-- received before $3, hashes of keys erased before $2, of an app ($4; null: any). A time
-- that is null: none of these.
select 'event' as name, count(*)
from event
where occurred_at < $1::timestamptz
    and ($4::integer is null or app_number = $4)
union all
select 'event_key', count(*)
from event_key
where received_at < $2::timestamptz
    and ($4::integer is null or app_number = $4)
union all
select 'rejected_event', count(*)
from rejected_event
where received_at < $3::timestamptz
    and ($4::integer is null or app_number = $4)
union all
select 'erasure', count(*)
from erasure
where erased_at < $2::timestamptz
    and ($4::integer is null or app_number = $4)
