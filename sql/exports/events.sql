-- The events of one app as they were stored.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.from, tributary.to          the range of occurred_at: from inclusive, to exclusive
--   tributary.since, tributary.horizon    the range of transaction_number: since inclusive, horizon exclusive; events
--                                         that were read again in that range (`tributary reread`) come again
--
-- :event_columns are the export's columns (`EventColumn.exportList`).
select :event_columns
from (
    select *
    from event
    where transaction_number >= current_setting('tributary.since')::bigint
        and transaction_number < current_setting('tributary.horizon')::bigint
    union all
    select *
    from event
    where transaction_number < current_setting('tributary.since')::bigint
        and reread_transaction >= current_setting('tributary.since')::bigint
        and reread_transaction < current_setting('tributary.horizon')::bigint
        -- Only if anything was read again since are all events looked at.
        and (
            select exists (
                select 1
                from reread
                where app_number = current_setting('tributary.app_number')::integer
                    and last_transaction >= current_setting('tributary.since')::bigint
                    and current_setting('tributary.since')::bigint > 0
            )
        )
) as event
where app_number = current_setting('tributary.app_number')::integer
    and occurred_at >= current_setting('tributary.from')::timestamptz
    and occurred_at < current_setting('tributary.to')::timestamptz
