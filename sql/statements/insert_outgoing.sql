-- Remembers that webhooks and schedules send from here, unless it is known. $1 whether they are silenced at once.
insert into outgoing (home, timeline_id, is_paused)
values (outgoing_home(), transaction_timeline(), $1::boolean)
on conflict (is_only_row) do update
    set is_paused = outgoing.is_paused or excluded.is_paused
