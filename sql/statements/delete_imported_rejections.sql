-- Deletes dead letters of an app ($1) by their ids ($2), because their lines are imported again.
delete from rejected_event
where app_number = $1
    and rejection_id = any ($2::text[]::uuid[])
