-- Notes that events of the app $1 have changed, and must be packed again. The revision tells a packing that runs at the
-- same time.
insert into timeline_state (app_number, must_rebuild)
values ($1, true)
on conflict (app_number) do update
    set must_rebuild = true,
        revision = timeline_state.revision + 1
