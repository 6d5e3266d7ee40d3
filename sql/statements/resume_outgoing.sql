-- Lets webhooks and schedules send from here, wherever the database came from.
insert into outgoing (home, timeline_id)
values (outgoing_home(), transaction_timeline())
on conflict (is_only_row) do update
    set home = excluded.home,
        timeline_id = excluded.timeline_id,
        is_paused = false
