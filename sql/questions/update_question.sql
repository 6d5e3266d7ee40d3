-- Gives a question another report and other parameters. $1 app number, $2 name, $3 report, $4 names of its parameters,
-- $5 their values.
update question
set report = $3,
    parameter_names = $4,
    parameter_values = $5,
    updated_at = now()
where app_number = $1
    and name = $2
    and deleted_at is null
returning name, report, parameter_names, parameter_values, created_at, updated_at
