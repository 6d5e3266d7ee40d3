-- Lets an app ($1) be stored here again that has not moved to the database $2 (null: to any).
delete from app_departure
where app_number = $1
    and moved_at is null
    and ($2::text is null or target = $2::text::uuid)
