-- Declares a property of the app $1: its name $2, its kind $3, and how many values have rows $4.
insert into app_property (app_number, name, kind, value_limit)
values ($1, $2, $3, $4)
