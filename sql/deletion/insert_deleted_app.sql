-- From now on nothing more of an app ($1) is stored.
insert into deleted_app (app_number)
values ($1)
on conflict do nothing
