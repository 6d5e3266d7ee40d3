-- Gives the schedules of an app ($1) with a target ($2) a new secret ($3). The former one signs too, for $4 seconds.
update question_schedule
set previous_secret = secret,
    previous_until = now() + $4 * interval '1 second',
    secret = $3
where app_number = $1
    and target = $2
    and secret is not null
