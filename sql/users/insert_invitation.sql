-- Invites a user ($2) by a token ($1 its hash).
insert into dashboard_invitation (token_hash, user_number)
values ($1, $2)
