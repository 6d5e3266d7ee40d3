-- Whether an app ($1 its number) has a live link.
select exists (select from link where app_number = $1 and deleted_at is null)
