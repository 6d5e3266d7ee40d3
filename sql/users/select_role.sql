-- The role of a user ($1) in an app ($2).
select role
from dashboard_role
where user_number = $1
    and app_number = $2
