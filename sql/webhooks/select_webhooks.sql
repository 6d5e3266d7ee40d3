-- Webhooks in the order in which they were made, without those of apps that move to another database. $1 one of them,
-- $2 an app; null: all.
select
    webhook.webhook_id,
    app.app_id,
    webhook.url,
    webhook.parameter_names,
    webhook.parameter_values,
    extract(epoch from webhook.settle)::bigint,
    webhook.secret,
    case when webhook.previous_until > now() then webhook.previous_secret end,
    webhook.position,
    webhook.next_number,
    webhook.pause_reason,
    webhook.created_at
from webhook
join app using (app_number)
where ($1::text is null or webhook.webhook_id = $1)
    and ($2::integer is null or webhook.app_number = $2)
    and webhook.app_number <> all (array(select app_number from app_departure where barred_at is not null))
order by webhook.created_at, webhook.webhook_id
