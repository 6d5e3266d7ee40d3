-- Webhooks in the order in which they were made. $1 one of them, $2 an app; null: all.
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
order by webhook.created_at, webhook.webhook_id
