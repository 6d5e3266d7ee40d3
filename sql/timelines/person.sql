-- The events of one person that credits depend on: installs, conversions and touches, each found by an index, in no
-- order. Prepared once for each session: to plan it for every month takes ten times as long as to run it.
--
-- $1 the app; $2, $3 and $4 the person's users, devices and clicks.
with own as not materialized (
    --include own_events
)
select
    type::text,
    occurred_at,
    event_id,
    channel::text,
    authenticated,
    deferred,
    clicked_at,
    goal,
    short_link is not null as has_short_link,
    case
        when channel is not null
            and type <> 'link_click'
            and click_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
            then click_id::uuid
    end as opened_click,
    -- The target, if the link itself says when it was tapped, not the sender (`StatedFields.clickedAt`): an app may
    -- tell of one tap at each launch.
    case
        when clicked_at is not null
            and (deferred or type = 'install')
            and coalesce(stated, 0) & 128 = 0
            then coalesce(target_url, '')
    end as tapped_target,
    referrer_clicked_at > install_began_at as is_injected,
    sent_by = 'app' as is_from_app
from own
where type in ('inbound_link', 'link_click', 'install', 'conversion')
    and test_traffic is not true
