-- The user of a number ($1) or of an address ($2), with their roles. Those that were not accepted count only if $3. One
-- of the first two is null.
select user_number, email, password is not null, app_ids, app_names, roles, password
from dashboard_user
--include user_roles user=dashboard_user.user_number pending=$3::boolean
where user_number = $1::bigint
    or email = $2::text
