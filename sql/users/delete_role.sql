-- Takes the role in an app ($2) from a user ($1).
delete from dashboard_role
where user_number = $1
    and app_number = $2
