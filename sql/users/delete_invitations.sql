-- Deletes the invitations of a user ($1).
delete from dashboard_invitation
where user_number = $1
