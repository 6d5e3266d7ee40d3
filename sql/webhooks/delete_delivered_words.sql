-- Forgets delivered words, and earlier ones of the same events that were given up: their time is over. $1 the app,
-- $2 the webhook, $3 the events, $4 the numbers.
--
-- Without a join, as in `select_due_words.sql`. The numbers lie close together: the planner finds them by their range.
with gone as materialized (
    select unnest($4::text[]::bigint[]) as number
    union all
    select number
    from webhook_delivery
    where app_number = $1
        and webhook_id = $2
        and dead_at is not null
        and number < ($4::text[]::bigint[])[array_position($3::text[]::uuid[], event_id)]
)
delete from webhook_delivery
where app_number = $1
    and webhook_id = $2
    and number between (select min(number) from gone) and (select max(number) from gone)
    and number = any(array(select number from gone))
