-- Tells those who pack the app $1 at the same time that something was removed.
insert into timeline_state (app_number)
values ($1)
on conflict (app_number) do update
    set revision = timeline_state.revision + 1
