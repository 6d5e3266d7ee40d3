-- The holder of a session ($1 its hash) that began in the last $2 seconds: the prefix and the app's id of its key, if
-- the key is valid; or the number of its user, and the id of the app that the user looks at. Also whether it is time to
-- store that the session was seen, where anything can be stored.
select
    api_key.prefix, dashboard_session.user_number, app_id,
    dashboard_session.last_seen_at < now() - interval '5 minutes'
        and current_setting('transaction_read_only') = 'off'
from dashboard_session
left join api_key
    on api_key.key_hash = dashboard_session.key_hash
        and revoked_at is null
        and (expires_at is null or expires_at > now())
left join app on app.app_number = coalesce(api_key.app_number, dashboard_session.app_number)
where session_hash = $1
    and dashboard_session.created_at > now() - make_interval(secs => $2::bigint)
    and (api_key.key_hash is not null or dashboard_session.user_number is not null)
