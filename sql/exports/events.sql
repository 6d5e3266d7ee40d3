-- The events of one app, as they were stored.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.from, tributary.to          by occurred_at: from included, to not
--   tributary.since, tributary.horizon    by transaction_number: since included, horizon not
--
-- The names of its columns are those of the export (`EventsExport.columns`).
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
    clicked_at,
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
    properties
from event
where app_number = current_setting('tributary.app_number')::integer
    and occurred_at >= current_setting('tributary.from')::timestamptz
    and occurred_at < current_setting('tributary.to')::timestamptz
    and transaction_number >= current_setting('tributary.since')::bigint
    and transaction_number < current_setting('tributary.horizon')::bigint
