-- Gives a user ($1) a password ($2 its hash), if it is still the one before ($3 its hash; null: whatever it is).
update dashboard_user
set password = $2
where user_number = $1
    and ($3::text is null or password = $3)
