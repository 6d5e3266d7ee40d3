-- The deleted questions of an app ($1 its number) that can be restored: those deleted in the last $2 seconds, the last
-- first.
select name, report, parameter_names, parameter_values, created_at, updated_at, question_number, deleted_at
from question
where app_number = $1
    and deleted_at > now() - make_interval(secs => $2)
order by deleted_at desc, question_number desc
