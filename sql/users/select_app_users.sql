-- The users of an app ($1), by address.
select email, role, accepted_at is not null, last_seen_at
from dashboard_user
join dashboard_role using (user_number)
where app_number = $1
order by email
