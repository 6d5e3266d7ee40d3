-- Notes that the history of the app $1 has been read again, unless a later run than that of the transaction $2 has begun.
update reread
set finished_at = clock_timestamp(),
    -- Webhooks look at it once, when all is rewritten (sql/webhooks/mark_stale.sql).
    last_transaction = current_transaction_number()
where app_number = $1
    and last_transaction = $2
