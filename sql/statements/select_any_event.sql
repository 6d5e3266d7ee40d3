-- Whether an app ($1 its number) has any event.
select exists (select from event where app_number = $1)
