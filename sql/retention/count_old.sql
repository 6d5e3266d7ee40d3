-- Counts what retention would delete, by table: events that happened before $1, hashes of keys that were erased before
-- $2, dead letters that were received before $3, saved questions that were deleted before $5, uses of codes before $6,
-- entries of the log of changes before $7, and shared pages that ended before $8. $4 the app (null: any).
-- If a time is null, its rows are not counted.
select 'event' as name, count(*)
from event
where occurred_at < $1::timestamptz
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
union all
select 'click_code_use', count(*)
from click_code_use
where used_at < $6::timestamptz
    and ($4::integer is null or app_number = $4)
union all
select 'change_log', count(*)
from change_log
where changed_at < $7::timestamptz
    and ($4::integer is null or app_number = $4)
union all
select 'shared_page', count(*)
from shared_page
where least(expires_at, revoked_at) < $8::timestamptz
    and ($4::integer is null or app_number = $4)
union all
select 'question', count(*)
from question
where deleted_at < $5::timestamptz
    and ($4::integer is null or app_number = $4)
