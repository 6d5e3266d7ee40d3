-- Gives a user ($1) a role ($3) in an app ($2). Returns a row if it is another one than before.
insert into dashboard_role (user_number, app_number, role)
values ($1, $2, $3)
on conflict (user_number, app_number) do update
set role = excluded.role
where dashboard_role.role <> excluded.role
returning user_number
