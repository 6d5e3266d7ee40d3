-- Dead letters in the order of receipt, at most $6, after the one that was received at $7 and has the id $8.
-- $1 app number, $2 codes, $3 and $4 the range of the time of receipt, $5 ids; null: any.
select
    rejection_id, app_number, app_id, received_at, key_prefix, event_id, code, field, message, event, encoded_event
from rejected_event
join app using (app_number)
where ($1::integer is null or app_number = $1)
    and ($2::text[] is null or code = any ($2))
    and ($3::timestamptz is null or received_at >= $3)
    and ($4::timestamptz is null or received_at < $4)
    and ($5::text[] is null or rejection_id = any ($5::uuid[]))
    and (received_at, rejection_id) > ($7::timestamptz, $8::uuid)
order by received_at, rejection_id
limit $6
