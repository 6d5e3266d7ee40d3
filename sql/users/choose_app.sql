-- Lets a session ($1 its hash) look at an app ($2 its id).
update dashboard_session
set app_number = app.app_number
from app
where session_hash = $1
    and app_id = $2
