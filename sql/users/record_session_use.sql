-- Stores that a session ($1 its hash) was seen now.
update dashboard_session
set last_seen_at = now()
where session_hash = $1
