-- The schedules of an app ($1; null: any that does not move to another database) of the questions that are not deleted,
-- or of the question of a name ($2), or the one with a number ($3), with the period that was claimed last.
select
    schedule_number, question_schedule.app_number, app_id, question.name, watch_column, watch_row, period, send_day,
    send_minute, format, target, memory, question_schedule.created_at, last_run.period_start::text,
    last_run.period_end::text, last_run.claimed_at, secret,
    case when previous_until > now() then previous_secret end, shares
from question_schedule
join question using (question_number)
join app on app.app_number = question_schedule.app_number
left join lateral (
    select period_start, period_end, claimed_at
    from question_run
    where question_run.schedule_number = question_schedule.schedule_number
    order by claimed_at desc
    limit 1
) as last_run on true
where ($1::integer is null or question_schedule.app_number = $1)
    and (
        $1::integer is not null
        or question_schedule.app_number <> all (array(
            select app_number
            from app_departure
            where barred_at is not null
        ))
    )
    and ($2::text is null or question.name = $2)
    and ($3::bigint is null or schedule_number = $3)
    and question.deleted_at is null
order by question.name, schedule_number
