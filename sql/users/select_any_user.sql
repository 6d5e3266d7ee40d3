-- Whether there is a user.
select exists (select from dashboard_user)
