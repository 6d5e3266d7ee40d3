-- Opens the cursor `recent_key` on the keys that stay in `event_key`, by app and id: those received from $1 on. Keys of
-- erased events have the time 'infinity'. The cursor outlives its transaction, so that no transaction lasts as long as
-- the copying.
declare recent_key no scroll cursor with hold for
select app_number, event_id, received_at
from event_key
where received_at >= $1
order by app_number, event_id
