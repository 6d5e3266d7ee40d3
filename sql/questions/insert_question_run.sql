-- Claims a period for a schedule, unless it was claimed before. $1 schedule number, $2 the first day, $3 the day after
-- the last one, $4 now.
insert into question_run (schedule_number, app_number, period_start, period_end, due_at, claimed_at)
select schedule_number, app_number, $2::date, $3::date, $4::timestamptz, $4
from question_schedule
where schedule_number = $1::bigint
on conflict (schedule_number, period_start, period_end) do nothing
