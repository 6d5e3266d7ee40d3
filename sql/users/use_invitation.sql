-- Uses an invitation up ($1 its hash) that is younger than $2 seconds. Returns the number of the user.
delete from dashboard_invitation
where token_hash = $1
    and created_at > now() - make_interval(secs => $2::bigint)
returning user_number
