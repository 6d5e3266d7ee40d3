-- The holder of a session ($1 its hash) that began in the last $2 seconds: the prefix of its key and the key's app, if
-- the key is valid; or the app that its user looks at, whether a proxy has named the user, and the user with their
-- roles. Also whether it is time to store that the session was seen, where anything can be stored.
select
    dashboard_user.user_number, email, password is not null, app_ids, app_names, roles, api_key.prefix,
    app_id, is_vouched,
    dashboard_session.last_seen_at < now() - interval '5 minutes'
        and current_setting('transaction_read_only') = 'off'
from dashboard_session
left join dashboard_user on dashboard_user.user_number = dashboard_session.user_number
left join api_key
    on api_key.key_hash = dashboard_session.key_hash
        and revoked_at is null
        and (expires_at is null or expires_at > now())
left join app on app.app_number = coalesce(api_key.app_number, dashboard_session.app_number)
--include user_roles user=dashboard_session.user_number pending=is_vouched
where session_hash = $1
    and dashboard_session.created_at > now() - make_interval(secs => $2::bigint)
    and (api_key.key_hash is not null or dashboard_user.user_number is not null)
