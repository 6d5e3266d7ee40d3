-- How many people have refused logins of the same outcome and error in the same several groups. A row that stands for
-- several groups (`tributary report logins --limit`) counts them once. Run beside count_refused_logins.sql, with its
-- settings.
with refused as not materialized (
    --include refused_logins
),
owned as not materialized (
    select
        refused.login_outcome,
        refused.error_code,
        refused.group_name,
        event_person(
            refused.user_id,
            device.user_id,
            refused.device_id,
            click_owner(click.user_id, click_device.user_id, click.device_id),
            refused.click_id
        ) as person
    from refused
    --include owner_joins event=refused
),
spread as not materialized (
    select
        login_outcome,
        error_code,
        array_agg(distinct group_name) as group_names
    from owned
    where person is not null
    group by login_outcome, error_code, person
    having count(distinct group_name) > 1
)
select
    login_outcome::text,
    error_code,
    count(*),
    group_names
from spread
group by login_outcome, error_code, group_names
limit current_setting('tributary.limit')::bigint
