-- Deletes the users of $1 (their numbers) who have no role in any app.
delete from dashboard_user
where user_number = any ($1::bigint[])
    and not exists (select from dashboard_role where dashboard_role.user_number = dashboard_user.user_number)
