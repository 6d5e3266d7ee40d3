-- Deletes the invitations of a user ($1) to an app ($2).
delete from dashboard_invitation
where user_number = $1
    and app_number = $2
