-- The newest events of one person that are no touches of reports, for a view of their timeline (docs/dashboard.md): each
-- is found by an index. Touches of test traffic are among them, because reports do not count them.
--
-- $1 the app; $2, $3 and $4 the person's users, devices and clicks; $5 how many at most.
with own as not materialized (
    --include own_events
)
select
    event_id,
    type::text,
    occurred_at,
    platform::text,
    channel::text,
    refs,
    coalesce(post_link, target_url) as address,
    outcome::text,
    composer::text,
    post_id,
    login_outcome::text,
    goal,
    value::text,
    currency,
    coalesce(test_traffic, false) as is_test
from own
where type not in ('inbound_link', 'link_click')
    or test_traffic
order by occurred_at desc, event_id desc
limit $5
