-- Begins a session ($1 its hash) of a user ($2) in an app ($3 its id) with a browser ($4), and ends the oldest, so that
-- the user has at most $5. $6 whether a proxy has named the user. Callers hold the user's lock.
with surplus as (
    delete from dashboard_session
    where user_number = $2
        and session_number in (
            select session_number
            from dashboard_session
            where user_number = $2
            order by session_number desc
            offset $5::bigint - 1
        )
)
insert into dashboard_session (session_hash, user_number, app_number, browser, is_vouched)
select $1::bytea, $2::bigint, app_number, $4::text, $6::boolean
from app
where app_id = $3
