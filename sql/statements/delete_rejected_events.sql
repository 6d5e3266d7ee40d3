-- Deletes dead letters.
-- $1 app number, $2 codes, $3 and $4 the range of the time of receipt, $5 ids; null: any.
delete from rejected_event
where ($1::integer is null or app_number = $1)
    and ($2::text[] is null or code = any ($2))
    and ($3::timestamptz is null or received_at >= $3)
    and ($4::timestamptz is null or received_at < $4)
    and ($5::text[] is null or rejection_id = any ($5::uuid[]))
