-- Stores that a user ($1) was seen now.
update dashboard_user
set last_seen_at = now()
where user_number = $1
