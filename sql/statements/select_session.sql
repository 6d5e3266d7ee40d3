-- The app's id of a session ($1 its hash), if it began in the last $2 seconds and its key is valid.
select app_id
from dashboard_session
join api_key using (key_hash)
join app using (app_number)
where session_hash = $1
    and dashboard_session.created_at > now() - make_interval(secs => $2::bigint)
    and revoked_at is null
    and (expires_at is null or expires_at > now())
