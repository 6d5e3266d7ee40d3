-- Creates an app with the settings that stay. `update_app.sql` stores the others.
insert into app (app_id, name, namespace, url_scheme_suffixes, login, time_zone, currency)
values ($1, $2, $3, $4::text[], $5, $6, $7)
returning app_number
