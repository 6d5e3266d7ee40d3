-- The invitation of a token ($1 its hash) that is younger than $2 seconds: the user's number, address and password, the
-- app, the role, who invites, and whether the user enters the password that they have.
select
    dashboard_user.user_number, email, password, app_number, app_id, app.name, role, created_by,
    not sets_password
        and exists (
            select
            from dashboard_role as other
            where other.user_number = dashboard_user.user_number
                and other.accepted_at is not null
        )
from dashboard_invitation
join dashboard_user using (user_number)
join dashboard_role using (user_number, app_number)
join app using (app_number)
where token_hash = $1
    and dashboard_invitation.created_at > now() - make_interval(secs => $2::bigint)
    and app_number <> all (array(select app_number from deleted_app))
