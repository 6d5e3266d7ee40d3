-- The sessions of a user ($1) that began in the last $2 seconds, the newest first.
select session_number, session_hash, created_at, last_seen_at, browser, is_vouched
from dashboard_session
where user_number = $1
    and created_at > now() - make_interval(secs => $2::bigint)
order by session_number desc
