-- Invites a user ($2) to an app ($3) by a token ($1 its hash). $4 whether it sets another password, $5 who invites.
insert into dashboard_invitation (token_hash, user_number, app_number, sets_password, created_by)
values ($1, $2, $3, $4, $5)
