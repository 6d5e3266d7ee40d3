-- The logins of one app that were not granted, by outcome and error: what `tributary report logins` says beside the
-- figures of timelines, which know no errors. Run in their snapshot. The last column is the group; null for all groups
-- together.
--
-- Its parameters are settings (`BoundStatement`), so that `--sql` can print it with its values:
--   tributary.app_number
--   tributary.from, tributary.to    the range: the start is included, the end is not
--   tributary.by                    the property that logins are grouped by; none for no groups, period for periods
--   tributary.periods               arrays of the same length: the names of the periods, and when each begins
--   tributary.starts
--   tributary.limit                 how many rows are returned at most
--   tributary.conditions            an array for each condition: the property, whether its values are excluded, and the
--                                   values; (none) stands for logins without the property
with refused as not materialized (
    --include refused_logins
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
    ),
    counted.group_name
from refused
cross join lateral (
    select refused.group_name
    where refused.group_name is not null
    union all
    select null
) as counted (group_name)
--include owner_joins event=refused
group by counted.group_name, refused.login_outcome, refused.error_code
limit current_setting('tributary.limit')::bigint
