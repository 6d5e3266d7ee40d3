-- Notes that an app ($1) moves to the database $2.
insert into app_departure (app_number, target)
values ($1, $2::text::uuid)
