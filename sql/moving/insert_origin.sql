-- Notes that an app ($1) was the app $3 of the database $2.
insert into app_origin (app_number, database, number)
values ($1, $2::text::uuid, $3)
