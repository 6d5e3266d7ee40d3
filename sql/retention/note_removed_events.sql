-- Tells the figures of an app ($1) that its events before $2 will be removed.
update figures_state
set removed_before = greatest(removed_before, $2)
where app_number = $1
