-- Locks the row of the user with an address ($1). Returns the number.
select user_number
from dashboard_user
where email = $1
for update
