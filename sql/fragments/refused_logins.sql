-- The logins of one app that were not granted, each with its group, which is null if they are not grouped. The settings
-- are those of sql/logins/count_refused_logins.sql.
select
    login_outcome,
    error_code,
    user_id,
    device_id,
    click_id,
    case current_setting('tributary.by')
        -- Subqueries, so that the arrays are made once, not for each login.
        when 'period' then (select current_setting('tributary.periods')::text[])[
            width_bucket(occurred_at, (select current_setting('tributary.starts')::timestamptz[]))
        ]
        when 'platform' then coalesce(platform::text, '(none)')
        when 'app_version' then coalesce(app_version, '(none)')
        when 'country' then coalesce(country, '(none)')
        when 'language' then coalesce(language, '(none)')
        when 'sent_by' then coalesce(sent_by, 'server')::text
    end as group_name
from event
where app_number = current_setting('tributary.app_number')::integer
    and occurred_at >= current_setting('tributary.from')::timestamptz
    and occurred_at < current_setting('tributary.to')::timestamptz
    and type = 'authentication'
    and login_outcome is not null
    and test_traffic is not true
    and not exists (
        select
        from unnest(current_setting('tributary.conditions')::text[]) as condition
        where (condition::text[])[2]::boolean = (
            coalesce(
                case (condition::text[])[1]
                    when 'platform' then platform::text
                    when 'app_version' then app_version
                    when 'country' then country
                    when 'language' then language
                    when 'sent_by' then coalesce(sent_by, 'server')::text
                end,
                '(none)'
            ) = any ((condition::text[])[3:])
        )
    )
