-- Begins a session ($1 its hash) of a user ($2) in an app ($3 its id) with a browser ($4).
insert into dashboard_session (session_hash, user_number, app_number, browser)
select $1::bytea, $2::bigint, app_number, $4::text
from app
where app_id = $3
