-- Marks what webhooks were told of the events of the app $1 as stale: secrets of any of them were redacted.
update webhook_event
set is_stale = true
where app_number = $1
    and not is_settled
    and not is_stale
