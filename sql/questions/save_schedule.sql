-- Saves a schedule of a question, or changes the one with the same target. $1 app number, $2 the question's name, $3
-- the watched column, $4 the watched row, $5 period, $6 day, $7 minute, $8 format, $9 target, $10 how many an app may
-- have, $11 the secret of a target that has none yet (null: it takes none), $12 whether each sending shares a page. A
-- watch by another period knows nothing of the one before: it forgets what it has told, and runs that are not ended.
with named as (
    select app_number, question_number
    from question
    where app_number = $1::integer
        and name = $2::text
        and deleted_at is null
), known as (
    select schedule_number, period
    from question_schedule
    join named using (question_number)
    where target = $9::text
        and watch_column is not distinct from $3::text
        and watch_row is not distinct from $4::text
), shared as (
    select secret, previous_secret, previous_until
    from question_schedule
    where app_number = $1::integer
        and target = $9::text
        and secret is not null
    limit 1
), forgotten as (
    delete from question_run
    using known
    where question_run.schedule_number = known.schedule_number
        and period <> $5::text
        and $3::text is not null
        and finished_at is null
)
insert into question_schedule (
    app_number, question_number, watch_column, watch_row, period, send_day, send_minute, format, target, secret,
    previous_secret, previous_until, shares
)
select
    app_number, question_number, $3::text, $4::text, $5::text, $6::integer, $7::integer, $8::text, $9::text,
    coalesce(secret, $11::text), previous_secret, previous_until, $12::boolean
from named
left join shared on true
where exists (select from known)
    or (select count(*) from question_schedule where app_number = $1) < $10
on conflict (question_number, target, coalesce(watch_column, ''), coalesce(watch_row, '')) do update
set period = excluded.period,
    send_day = excluded.send_day,
    send_minute = excluded.send_minute,
    format = excluded.format,
    shares = excluded.shares,
    memory = case when question_schedule.period = excluded.period then question_schedule.memory end
returning schedule_number, secret = $11::text
