-- Notes that a rebuild of the app $1 begins, in place of one that was interrupted.
--   $2 generation, $3 horizon, $4 revision, $5 declared properties
insert into timeline_rebuild (app_number, generation, horizon, revision, properties)
values ($1, $2, $3, $4, $5::text[])
on conflict (app_number) do update
    set generation = excluded.generation,
        horizon = excluded.horizon,
        revision = excluded.revision,
        properties = excluded.properties,
        months = default,
        events = default,
        last_story_touch = default,
        has_post_ids = default
