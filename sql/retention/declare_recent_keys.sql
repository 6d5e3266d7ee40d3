-- Opens the cursor `recent_key` on the keys that stay in `event_key`, by app and id. It outlives its transaction, so
-- that no transaction lasts as long as the copying.
--
-- $1 keys that were received before it go. $2 whether keys whose events are gone stay, since these events may have been
-- deleted with their people.
declare recent_key no scroll cursor with hold for
select app_number, event_id, received_at
from event_key
where received_at >= $1
union all
select app_number, event_id, 'infinity'
from event_key
where $2
    and received_at < $1
    and not exists (
        select
        from event
        where event.app_number = event_key.app_number
            and event.event_id = event_key.event_id
    )
order by app_number, event_id
