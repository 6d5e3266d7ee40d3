-- Begins a new generation of segments of the app $1. Returns its number, and the revision: how often events were
-- removed until now.
update timeline_state
set begun_generation = greatest(begun_generation, generation) + 1
where app_number = $1
returning begun_generation, revision
