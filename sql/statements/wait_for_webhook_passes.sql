-- Waits for the passes that find what the webhooks of the app $1 have to tell, before events are deleted or redacted. A
-- pass that begins later waits in turn, and then reads what is left: it locks these rows first, and a changed row makes
-- it begin again.
update webhook
set position = position
where app_number = $1
