-- Marks what webhooks were told of the events of the app $1 as stale: secrets of any of them were redacted. The keys of
-- people are stored again when the events are looked at.
with gone as (
    delete from webhook_person_key
    where app_number = $1
)
update webhook_event
set is_stale = true
where app_number = $1
    and not is_settled
    and not is_stale
