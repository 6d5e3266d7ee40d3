-- The user of a number ($1), of an address ($2) or of an invitation ($3 its hash) that is younger than $4 seconds, with
-- their roles in apps that are not being deleted and have not moved, by the apps' ids. Two of the first three are null.
select
    user_number, email, password, coalesce(app_ids, '{}'), coalesce(app_names, '{}'), coalesce(roles, '{}')
from dashboard_user
cross join lateral (
    select
        array_agg(app_id order by app_id) as app_ids,
        array_agg(name order by app_id) as app_names,
        array_agg(role order by app_id) as roles
    from dashboard_role
    join app using (app_number)
    where dashboard_role.user_number = dashboard_user.user_number
        and app_number <> all (array(select app_number from deleted_app))
        and app_number <> all (array(select app_number from app_departure where moved_at is not null))
) as shown
where user_number = $1::bigint
    or email = $2::text
    or user_number in (
        select user_number
        from dashboard_invitation
        where token_hash = $3::bytea
            and created_at > now() - make_interval(secs => $4::bigint)
    )
