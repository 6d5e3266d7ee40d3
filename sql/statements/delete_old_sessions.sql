-- Deletes the sessions that began more than $1 seconds ago.
delete from dashboard_session
where created_at <= now() - make_interval(secs => $1::bigint)
