-- A user ($1) who has no password, was never seen and has no role in another app than $2.
select user_number
from dashboard_user
where user_number = $1
    and password is null
    and last_seen_at is null
    and not exists (
        select
        from dashboard_role
        where dashboard_role.user_number = dashboard_user.user_number
            and app_number <> $2
    )
