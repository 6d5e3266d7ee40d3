-- The role of a user ($1) in an app ($2), and whether it was accepted.
select role, accepted_at is not null
from dashboard_role
where user_number = $1
    and app_number = $2
