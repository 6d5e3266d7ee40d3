-- Deletes the invitations that are older than $1 seconds.
delete from dashboard_invitation
where created_at <= now() - make_interval(secs => $1::bigint)
