-- Ends a session ($1 its hash).
delete from dashboard_session
where session_hash = $1
