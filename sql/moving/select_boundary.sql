-- The end of the next piece of an app ($1): when the event happened that comes $3 events after the time $2 (null: from
-- the first one on). No row: fewer are left.
select occurred_at
from event
where app_number = $1
    and occurred_at > coalesce($2::timestamptz, '-infinity')
order by occurred_at
offset $3
limit 1
