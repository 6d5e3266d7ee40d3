-- Adds the app $1. Nothing of it is packed yet.
insert into timeline_state (app_number)
values ($1)
on conflict do nothing
