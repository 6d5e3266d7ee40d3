-- Notes that an app ($1) comes from another database ($2, and $3 its number there), and gives it a number here.
insert into app_arrival (app_number, app_id, source, source_app_number)
values (nextval(pg_get_serial_sequence('app', 'app_number')), $1, $2::text::uuid, $3)
on conflict (source, source_app_number) do nothing
