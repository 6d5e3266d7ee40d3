-- Entries of the log of changes, the newest first. $1 app number (null: all entries), $2 the number that they are below
-- (null: any), $3 how many at most. Texts are cut to the size that they are written with: a damaged
-- row must not fill a page.
select
    change_number, changed_at, app_id, left(actor, 501), left(kind, 501), left(subject, 501), left(before, 4096),
    left(after, 4096)
from change_log
left join app using (app_number)
where ($1::integer is null or app_number = $1)
    and ($2::bigint is null or change_number < $2)
order by change_number desc
limit $3
