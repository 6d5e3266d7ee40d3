-- The app $1, of which nothing is packed yet.
insert into timeline_state (app_number)
values ($1)
on conflict do nothing
