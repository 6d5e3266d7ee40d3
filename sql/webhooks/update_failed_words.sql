-- Words that were not delivered. $1 the app, $2 the webhook, $3 the numbers, $4 the attempts, $5 the seconds until the
-- next one; empty: none, $6 what went wrong.
update webhook_delivery as word
set attempts = failed.attempts::integer,
    next_attempt_at = coalesce(now() + nullif(failed.pause, '')::float8 * interval '1 second', 'infinity'),
    dead_at = case when failed.pause = '' then now() end,
    last_error = failed.error
from unnest($3::text[]::bigint[], $4::text[], $5::text[], $6::text[]) as failed (number, attempts, pause, error)
where word.app_number = $1
    and word.webhook_id = $2
    and word.number = failed.number
