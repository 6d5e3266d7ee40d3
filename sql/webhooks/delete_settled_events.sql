-- Forgets settled events that cannot be found as new again, and whose words are delivered. $1 the app, $2 the webhook,
-- $3 its position.
--
-- Planned by hash (`ScanPlanning`). The table of words is empty again and again; analyzed then, the planner expects no
-- words, and would compare all of them with each event.
delete from webhook_event
where app_number = $1
    and webhook_id = $2
    and is_settled
    and (transaction_number < $3 or is_erased)
    and not exists (
        select
        from webhook_delivery as word
        where word.app_number = $1
            and word.webhook_id = $2
            and word.event_id = webhook_event.event_id
    )
