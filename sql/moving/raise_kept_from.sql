-- Notes that keys which were received before $1 may be missing: the app that arrives had none there.
update event_key_set
set kept_from = greatest(kept_from, $1::timestamptz),
    next_kept_from = case when next_kept_from is not null then greatest(next_kept_from, $1::timestamptz) end
