-- Raises the revision of the app $1, so that a packing that runs at the same time notices the removal.
insert into timeline_state (app_number)
values ($1)
on conflict (app_number) do update
    set revision = timeline_state.revision + 1
