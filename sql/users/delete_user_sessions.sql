-- Ends sessions of a user ($1): all but the one that goes on ($2 its hash; null: all), or the one of a number ($3), or
-- those in an app ($4).
delete from dashboard_session
where user_number = $1
    and session_hash is distinct from $2::bytea
    and ($3::bigint is null or session_number = $3)
    and ($4::integer is null or app_number = $4)
