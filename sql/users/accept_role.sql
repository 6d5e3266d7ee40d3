-- Stores that a user ($1) has accepted the role in an app ($2).
update dashboard_role
set accepted_at = now()
where user_number = $1
    and app_number = $2
    and accepted_at is null
