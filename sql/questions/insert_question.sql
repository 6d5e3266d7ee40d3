-- Saves a question, unless the app has one of this name or $6 questions. $1 app number, $2 name, $3 report, $4 names of
-- its parameters, $5 their values.
insert into question (app_number, name, report, parameter_names, parameter_values)
select $1::integer, $2::text, $3::text, $4::text[], $5::text[]
where (select count(*) from question where app_number = $1 and deleted_at is null) < $6
on conflict (app_number, name) where deleted_at is null do nothing
returning name, report, parameter_names, parameter_values, created_at, updated_at
