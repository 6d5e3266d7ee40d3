-- Stores rejected events as dead letters.
-- $1 app number, $2 time of receipt, $3 key prefix; then one array for each column:
-- $4 event ids as sent (empty: none), $5 codes, $6 fields (empty: none), $7 messages, $8 redacted events, $9 events as
-- they were read, as JSON (empty: they could not be read), $10 ids of the dead letters.
--
-- A dead letter that exists already is from the same request, delivered again. Nothing is stored of a deleted app. A
-- daemon may only insert here, so the conflict clause names no column. It fails if the app moves to another database.
insert into rejected_event (
    rejection_id, app_number, received_at, key_prefix, event_id, code, field, message, event, encoded_event
)
select
    rejection_id::uuid,
    $1::integer,
    $2::timestamptz,
    $3::text,
    nullif(event_id, ''),
    code,
    nullif(field, ''),
    message,
    event,
    nullif(encoded_event, '')
from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
    as rejection (event_id, code, field, message, event, encoded_event, rejection_id)
where $1::integer <> all (array(select app_number from deleted_app))
    and (
        select refuse_moving_app(app_number)
        from app_departure
        where app_number = $1::integer
            and barred_at is not null
    ) is null
on conflict do nothing
