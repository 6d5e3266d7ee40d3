-- Invents the events of one app, the same ones each time: about 6 for each of :people people, in 90 days. Nothing else
-- may use the database. Parameters: app (its id), people.
--
-- `draw` is a number from 0 to 999 that depends on the person, the visit and the purpose only.
create or replace function pg_temp.draw(person integer, visit integer, purpose integer) returns integer
    language sql
    immutable
    return (hashint8(((person * 8 + visit) * 64 + purpose)::bigint)::bigint & 2147483647) % 1000;

select current_transaction_number() as transaction \gset
select app_number from app where app_id = :'app' \gset

select ensure_event_partition(month::date)
from generate_series('2026-01-01'::date, '2026-04-01', '1 month') month \g /dev/null

insert into event (
    app_number, event_id, type, occurred_at, received_at, user_id, device_id, platform, channel, channel_rule,
    link_form, refs, target_url, referer_app, authenticated, deferred, test_traffic, clicked_at, url, post_id,
    story_key, outcome, composer, goal, value, currency, transaction_number
)
with visit as (
    select
        person,
        visit,
        timestamptz '2026-01-01 00:00:00+00'
            + (pg_temp.draw(person, visit, 1) * 1000 + pg_temp.draw(person, visit, 2)) * interval '7 seconds'
            as began
    from generate_series(1, :people) as person
    cross join generate_series(0, 2) as visit
    where visit = 0 or pg_temp.draw(person, visit, 3) < 600
),
fact as (
    select
        person,
        visit,
        kind,
        began + kind * interval '1 second' * (1 + pg_temp.draw(person, visit, 10 + kind)) as occurred_at,
        case kind
            when 0 then 'inbound_link'
            when 1 then 'install'
            when 2 then 'authentication'
            when 3 then 'feed_post'
            else 'conversion'
        end::event_type as type,
        pg_temp.draw(person, visit, 4) as draw
    from visit
    cross join generate_series(0, 4) as kind
    where case kind
            when 0 then true
            when 1 then visit = 0
            when 2 then pg_temp.draw(person, visit, 20) < 700
            when 3 then pg_temp.draw(person, visit, 21) < 250
            else pg_temp.draw(person, visit, 22) < 400
        end
)
select
    :app_number,
    md5(format('%s %s %s', person, visit, kind))::uuid,
    type,
    occurred_at,
    occurred_at,
    -- Who logs in was anonymous before.
    case when person % 5 < 3 and kind >= 2 then 'user-' || person end,
    'device-' || person,
    (array['ios', 'android', 'web', 'desktop'])[1 + person % 4]::platform,
    case when kind = 0 then (
        array['story_links', 'requests', 'bookmarks', 'search', 'story_attribution', 'other', 'unattributed']
    )[1 + draw % 7] end::channel,
    case when kind = 0 then 'fb_source' end,
    case when kind = 0 then 'plain' end,
    case
        when kind = 0 and draw < 550 or kind = 3 then array['ref_' || draw % 50]
        when kind = 0 and draw < 620 then array['ref_' || draw % 50, 'ref_' || draw % 7]
        when kind in (0, 3) then '{}'
    end,
    case when kind = 0 then 'https://apps.example.com/game/?level=' || draw end,
    case when kind = 0 and person % 2 = 0 then 'Facebook' end,
    case when kind = 0 then draw % 3 = 0 end,
    case when kind = 0 then draw % 50 = 0 end,
    case when kind = 0 then false end,
    case when kind = 0 and draw % 50 = 0 then occurred_at - interval '1 hour' end,
    case when kind = 0 then 'https://apps.example.com/game/?fb_source=feed&level=' || draw end,
    case when kind = 3 then person || '_' || visit end,
    -- A touch without refs may come from a story.
    case when kind = 3 or kind = 0 and draw between 620 and 850 then md5('story ' || draw)::uuid end,
    case when kind = 3 then 'posted' end::post_outcome,
    case when kind = 3 then 'feed_dialog' end::composer,
    case when kind = 4 then (array['purchase', 'level_up', 'subscribe', 'invite'])[1 + draw % 4] end,
    case when kind = 4 and draw % 4 = 0 then (100 + draw) / 100.0 end,
    case when kind = 4 and draw % 4 = 0 then 'USD' end,
    :transaction
from fact
order by occurred_at, person, kind;

insert into feed_post_key (app_number, post_id, event_id)
select
    app_number,
    post_id,
    event_id
from event
where app_number = :app_number
    and type = 'feed_post'
order by post_id;

insert into device_link (app_number, device_id, user_id, occurred_at, event_id, transaction_number)
select distinct on (device_id)
    app_number,
    device_id,
    user_id,
    occurred_at,
    event_id,
    :transaction
from event
where app_number = :app_number
    and user_id is not null
order by device_id, occurred_at, event_id;

analyze event, device_link, feed_post_key;
