-- The rebuild of the app $1 that was interrupted, if its segments are still right: nothing was removed since, no other
-- rebuild has begun, and the app has declared the same properties ($2).
select rebuild.generation, rebuild.horizon, rebuild.revision, rebuild.months::text[], rebuild.events,
    rebuild.last_story_touch, rebuild.has_post_ids
from timeline_rebuild as rebuild
join timeline_state as state on state.app_number = rebuild.app_number
where rebuild.app_number = $1
    and state.app_number = $1
    and state.begun_generation = rebuild.generation
    and state.revision = rebuild.revision
    and rebuild.properties = $2::text[]
