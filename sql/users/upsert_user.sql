-- Makes the user of an address ($1) where there is none, and locks the row. Returns the number.
insert into dashboard_user (email)
values ($1)
on conflict (email) do update
set email = excluded.email
returning user_number
