-- Dead letters of an app ($1) in the order of receipt, at most $4, after the one received at $2 with the id $3.
select rejection_id, received_at, code, field, message, event
from rejected_event
where app_number = $1
    and (received_at, rejection_id) > ($2::timestamptz, $3::uuid)
order by received_at, rejection_id
limit $4
