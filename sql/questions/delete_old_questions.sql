-- Removes the questions that were deleted before $1, of an app ($2; null: any).
delete from question
where deleted_at < $1
    and ($2::integer is null or app_number = $2)
