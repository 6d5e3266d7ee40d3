-- Entries of the log of changes, the newest first. $1 app number (null: all entries), $2 the number that they are below
-- (null: any), $3 how many at most.
select change_number, changed_at, app_id, actor, kind, subject, before, after
from change_log
left join app using (app_number)
where ($1::integer is null or app_number = $1)
    and ($2::bigint is null or change_number < $2)
order by change_number desc
limit $3
