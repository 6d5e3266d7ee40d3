-- The logins of one app that were not granted, by outcome and error: what `tributary report logins` says beside the
-- figures of timelines, which know no errors. Run in their snapshot.
--
-- Its parameters are settings (`BoundStatement`), so that `--sql` can print it with its values:
--   tributary.app_number
--   tributary.from, tributary.to    the range: the start is included, the end is not
--   tributary.platforms             those whose logins count; (none) stands for logins without a platform
with refused as not materialized (
    select login_outcome, error_code, user_id, device_id, click_id
    from event
    where app_number = current_setting('tributary.app_number')::integer
        and occurred_at >= current_setting('tributary.from')::timestamptz
        and occurred_at < current_setting('tributary.to')::timestamptz
        and type = 'authentication'
        and login_outcome is not null
        and test_traffic is not true
        and coalesce(platform::text, '(none)') = any (current_setting('tributary.platforms')::text[])
)
select
    refused.login_outcome::text,
    refused.error_code,
    count(*),
    count(
        distinct event_person(
            refused.user_id,
            device.user_id,
            refused.device_id,
            click_owner(click.user_id, click_device.user_id, click.device_id),
            refused.click_id
        )
    )
from refused
left join device_link as device
    on device.app_number = current_setting('tributary.app_number')::integer
    and device.device_id = case when refused.user_id is null then refused.device_id end
left join click_link as click
    on click.app_number = current_setting('tributary.app_number')::integer
    and click.click_id = case when refused.user_id is null and refused.device_id is null then refused.click_id end
left join device_link as click_device
    on click_device.app_number = current_setting('tributary.app_number')::integer
    and click_device.device_id = case when click.user_id is null then click.device_id end
group by refused.login_outcome, refused.error_code
