-- Words that were not delivered. $1 the app, $2 the webhook, $3 the numbers, $4 the attempts, $5 the seconds until the
-- next one; empty: none, $6 what went wrong.
update webhook_delivery as word
set attempts = failed.attempts::integer,
    -- Citus takes no `now()` inside of `case` and `coalesce`.
    next_attempt_at = now() + coalesce(nullif(failed.pause, ''), '0')::float8 * interval '1 second',
    dead_at = now() + case when failed.pause = '' then interval '0' end,
    last_error = failed.error
from unnest($3::text[]::bigint[], $4::text[], $5::text[], $6::text[]) as failed (number, attempts, pause, error)
where word.app_number = $1
    and word.webhook_id = $2
    and word.number = failed.number
