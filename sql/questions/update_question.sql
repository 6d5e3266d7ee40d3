-- Gives a question another report and other parameters. $1 app number, $2 name, $3 report, $4 names of its parameters,
-- $5 their values. Watches of another question begin anew: what they have told was of other figures.
with changed as (
    select question_number
    from question
    where app_number = $1::integer
        and name = $2::text
        and deleted_at is null
        and (report, parameter_names, parameter_values) is distinct from ($3::text, $4::text[], $5::text[])
), forgotten as (
    update question_schedule
    set memory = null
    from changed
    where question_schedule.question_number = changed.question_number
)
update question
set report = $3,
    parameter_names = $4,
    parameter_values = $5,
    updated_at = now()
where app_number = $1
    and name = $2
    and deleted_at is null
returning name, report, parameter_names, parameter_values, created_at, updated_at
