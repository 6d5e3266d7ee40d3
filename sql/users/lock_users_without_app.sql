-- Locks the rows of users who have no role in any app.
select user_number
from dashboard_user
where not exists (select from dashboard_role where dashboard_role.user_number = dashboard_user.user_number)
order by user_number
for update
