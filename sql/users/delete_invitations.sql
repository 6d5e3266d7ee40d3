-- Deletes the invitations of a user ($1) that set another password, and those to an app ($2; null: to none).
delete from dashboard_invitation
where user_number = $1
    and (sets_password or app_number = $2::integer)
