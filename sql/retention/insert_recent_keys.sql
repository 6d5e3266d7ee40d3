-- Adds keys to the next set: $1 app numbers, $2 event ids, $3 times of receipt, sorted by app number and event id.
insert into event_key_next (app_number, event_id, received_at)
select app_number, event_id, received_at
from unnest($1::integer[], $2::uuid[], $3::timestamptz[]) as key (app_number, event_id, received_at)
on conflict do nothing
