-- The events of one app as they were stored.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.from, tributary.to          the range of occurred_at: from inclusive, to exclusive
--   tributary.since, tributary.horizon    the range of transaction_number: since inclusive, horizon exclusive; events
--                                         that were read again in that range (`tributary reread`) come again
--
-- Its columns have the names of the export's columns (`EventsExport.columns`).
select
    event_id,
    type,
    occurred_at,
    received_at,
    user_id,
    device_id,
    click_id,
    platform,
    channel,
    channel_rule,
    link_form,
    refs,
    url,
    target_url,
    referer_app,
    referer_url,
    authenticated,
    deferred,
    case when clicked_at is not null then least(clicked_at, occurred_at) end as clicked_at,
    paid,
    test_traffic,
    link_details,
    post_id,
    outcome,
    composer,
    post_link as link,
    action_type,
    object_id,
    error_code,
    error_message,
    limit_ad_tracking,
    goal as name,
    value,
    currency,
    properties,
    case when type = 'authentication' then coalesce(login_outcome, 'granted') end as login_outcome,
    install_referrer,
    short_link
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
