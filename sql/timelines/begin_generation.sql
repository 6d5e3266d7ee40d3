-- Begins to pack the app $1 anew: the generation of the new segments, and how often something was removed until now.
update timeline_state
set begun_generation = greatest(begun_generation, generation) + 1
where app_number = $1
returning begun_generation, revision
