-- Bars an app ($1): from now on, nothing of it is stored.
insert into deleted_app (app_number)
values ($1)
on conflict do nothing
