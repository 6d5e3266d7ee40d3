-- How many words of a webhook wait, if fewer than $3; else $3. $1 the app, $2 the webhook.
select count(*)
from (
    select
    from webhook_delivery
    where app_number = $1
        and webhook_id = $2
        and dead_at is null
    limit $3
) as word
