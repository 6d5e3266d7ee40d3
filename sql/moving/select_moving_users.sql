-- The users of an app ($1), as insert_users.sql takes them.
select
    email,
    coalesce(password, ''),
    role,
    coalesce(accepted_at::text, '')
from dashboard_role
join dashboard_user using (user_number)
where app_number = $1
