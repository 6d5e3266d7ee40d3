-- Ends the sessions of users who look at an app ($1).
delete from dashboard_session
where app_number = $1
