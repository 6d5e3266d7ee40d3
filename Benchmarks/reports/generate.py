"""Makes seeded, life-like events of one app, the same for every database.

    generate.py EVENTS FOLDER [--seed 1]

Writes EVENTS events and 5 % more into FOLDER, in the order in which they happened:

  base.parquet, events.parquet    for ClickHouse and DuckDB: the first EVENTS, and all
  base-1.csv.zst, base-2.csv.zst  the two halves of the first EVENTS, for PostgreSQL's table `event`
  delta-first.csv.zst             of the others, as many as a daemon leaves in the delta
  delta-rest.csv.zst              the rest of the others

A person has about 5.9 events in the 90 days from 2026-01-01. A visit is a touch, and perhaps an install, an
authentication, up to two conversions and a feed post. There are 50 refs. People who log in were anonymous before.
"""
import argparse
import os

import duckdb

PEOPLE_PER_EVENT = 1 / 5.853
START = 1767225600000000  # 2026-01-01T00:00:00Z
DAY = 86_400_000_000
DAYS = 90
DELTA = 0.05

# h(k): a fraction from 0 to 1, drawn from the seed, the person, the visit and the purpose k.
MAKE = """
create or replace macro h(p, k, salt) as (hash(p * 64 + k, {seed} * 1000 + salt) % 1000000007) / 1000000007.0;

create or replace table visit as
select p, k,
    ({start} + (h(p, 0, 1) * {days} * {day})::bigint
        + (case when k = 0 then 0 else (-ln(1 - h(p, k, 2)) * 2.5 * k * {day})::bigint end)) as t,
    h(p, 0, 3) < 0.6 as is_user
from range({people}) people(p), range(12) visits(k)
where k = 0 or h(p, 0, 4) < pow(0.62, k);

create or replace table fact as
with made as (
    select p, k, is_user, s,
        t + case s
            when 0 then 0
            when 1 then 30000000 + (h(p, k, 11) * 60000000)::bigint
            when 2 then 60000000 + (h(p, k, 12) * 600000000)::bigint
            when 3 then 120000000 + (h(p, k, 13) * 2 * {day})::bigint
            when 4 then 240000000 + (h(p, k, 14) * 4 * {day})::bigint
            else 90000000 + (h(p, k, 15) * {day})::bigint
        end as t
    from visit, range(6) steps(s)
    where case s
        when 0 then true
        when 1 then k = 0 and h(p, k, 21) < 0.45
        when 2 then is_user and h(p, k, 22) < 0.85
        when 3 then h(p, k, 23) < 0.3
        when 4 then h(p, k, 24) < 0.1
        else h(p, k, 25) < 0.25
    end
)
select p, k, s, t, is_user,
    case s
        when 0 then case when h(p, k, 31) < 0.85 then 'inbound_link' else 'link_click' end
        when 1 then 'install' when 2 then 'authentication' when 5 then 'feed_post' else 'conversion'
    end as type,
    ['ios', 'android', 'web', 'desktop'][1 + (h(p, 0, 32) * 4)::int % 4] as platform,
    case when s = 0 then list_extract(
        ['story_links', 'story_links', 'story_links', 'requests', 'bookmarks', 'search', 'story_attribution', 'other',
        'unattributed', 'story_links'], 1 + floor(h(p, k, 33) * 10)::int) end as channel,
    -- Skewed: the first refs are the most frequent ones.
    'ref_' || lpad(floor(50 * pow(h(p, k, 34), 2.2))::int::varchar, 2, '0') as ref,
    h(p, k, 35) as ref_draw,
    floor(h(p, k, 36) * 20000)::int as story,
    s = 0 and h(p, k, 37) < 0.02 as deferred,
    ['purchase', 'level_up', 'subscribe', 'invite'][1 + floor(h(p, k, 38 + s) * 4)::int] as goal,
    (100 + floor(h(p, k, 45) * 9900)::bigint) as cents,
    s = 0 and h(p, k, 46) < 0.01 as is_anonymous
from made
where t < {start} + {days} * {day};

create or replace table event as
select
    printf('%08x-%04x-7%03x-%s-%s', (t // 1000) >> 16, (t // 1000) & 65535, hash(p, k * 8 + s, 51) & 4095,
        printf('%04x', 32768 + (hash(p, k * 8 + s, 52) & 16383)), printf('%012x', hash(p, k * 8 + s, 53) >> 16)) as event_id,
    type, t as occurred_at,
    case when is_user and (k > 0 or s >= 2) and not is_anonymous and not (type = 'link_click' and k = 0)
        then 'user-' || p end as user_id,
    case when not (is_anonymous and type = 'link_click') and not (type = 'link_click' and k = 0)
        then 'device-' || p || case when h(p, 0, 61) < 0.2 and k % 2 = 1 then '-b' else '' end end as device_id,
    case when type = 'link_click' and k = 0 and not is_anonymous or s = 1 then 'click-' || p end as click_id,
    platform, channel,
    case
        when s = 0 and ref_draw < 0.55 or s = 5 and ref_draw < 0.9 then ref
        when s = 0 and ref_draw < 0.62 then ref || ',' || 'ref_' || lpad(((story % 50))::varchar, 2, '0')
    end as refs,
    case when s = 5 or s = 0 and ref_draw >= 0.62 and ref_draw < 0.85 then story end as story,
    s = 0 and deferred as deferred,
    case when s = 0 and deferred then t - (h(p, k, 62) * {day})::bigint end as clicked_at,
    case when s = 5 then case when h(p, k, 63) < 0.7 then 'posted' else 'cancelled' end end as outcome,
    case when s = 5 and h(p, k, 63) < 0.7 then p || '_' || k end as post_id,
    case when type = 'conversion' then goal end as goal,
    case when type = 'conversion' and goal = 'purchase' then cents end as cents,
    p as person
from fact
order by t, event_id;

create or replace view numbered as select rowid + 1 as n, * from event;
"""

# The person of each event, derived as Tributary does. It is simple here, because every device and click has one person.
WRITE = """
copy (
    with event as (
        select * from numbered where n <= {count}
    ),
    device as (
        select device_id, max(user_id) as user_id from event where device_id is not null group by device_id
    ),
    click as (
        select click_id, max(device_id) as device_id from event where click_id is not null group by click_id
    )
    select event_id, type, event.occurred_at, coalesce(clicked_at, event.occurred_at) as t,
        case
            when event.user_id is not null or owner.user_id is not null then person
            when owner.device_id is not null then person + case when owner.device_id like '%-b' then 2e9 else 1e9 end::bigint
            when event.click_id is not null then person + 3e9::bigint
            else -1
        end as person,
        channel, coalesce(event.refs, case when channel is not null then post.refs end) as refs, event.story, goal, cents,
        outcome, deferred
    from event
    -- The story join, as Tributary does it: a touch without refs has those of the latest post of its link.
    asof left join (
        select story, occurred_at, refs from event where outcome = 'posted' and story is not null
    ) as post on event.story = post.story and event.occurred_at >= post.occurred_at
    left join click on click.click_id = event.click_id
    left join device as owner on owner.device_id = coalesce(event.device_id, click.device_id)
    order by t, event_id
) to '{folder}/{name}.parquet' (format parquet);
"""

ROWS = """
copy (
    select {app} as app_number, event_id, type, make_timestamp(occurred_at) || '+00' as occurred_at,
        make_timestamp(occurred_at) || '+00' as received_at, user_id, device_id, click_id, platform, channel,
        case when channel is not null then 'fb_source' end as channel_rule,
        case when channel is not null then 'plain' end as link_form,
        case when refs is not null then '{{' || refs || '}}' when channel is not null or outcome is not null then '{{}}' end as refs,
        case when channel is not null then 'https://apps.facebook.com/game/?level=' || (person % 300) || '&from=' || person end as target_url,
        case when channel is not null and person % 2 = 0 then 'Facebook' end as referer_app,
        case when channel is not null then false end as authenticated,
        case when channel is not null then deferred end as deferred,
        case when channel is not null then false end as test_traffic,
        make_timestamp(clicked_at) || '+00' as clicked_at,
        case when channel is not null then '{{"fb_source":"feed","action_ids":["' || person || '"]}}' end as link_details,
        case when channel is not null then 'https://apps.facebook.com/game/?fb_source=feed&level=' || (person % 300) || '&from='
            || person || '&fb_ref=' || coalesce(refs, 'none') || '&token=REDACTED' end as url,
        post_id, case when story is not null then md5('story ' || story)::uuid end as story_key,
        outcome, case when outcome is not null then 'feed_dialog' end as composer, goal,
        case when cents is not null then cents / 100.0 end as value, case when cents is not null then 'USD' end as currency
    from numbered
    where n > {after} and n <= {count}
    order by n
) to '{folder}/{name}.csv.zst' (format csv, header, compression zstd);
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("events", type=int)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    database = duckdb.connect()
    database.execute("set threads = 2; set preserve_insertion_order = true; set memory_limit = '8GB'")
    database.execute(f"set temp_directory = '{options.folder}/spill'")
    people = int(options.events * (1 + DELTA) * PEOPLE_PER_EVENT)
    database.execute(MAKE.format(seed=options.seed, start=START, day=DAY, days=DAYS, people=people))
    count = database.execute("select count(*) from numbered").fetchone()[0]
    base = int(count / (1 + DELTA))
    print(f"{base} events of {people} people, and {count - base} for the delta")
    for name, last in (("base", base), ("events", count)):
        database.execute(WRITE.format(folder=options.folder, name=name, count=last))
    # The largest delta that a daemon leaves (PackingPolicy): 30,000 events, or 2 % if that is less.
    left = base + min(30_000, base // 50)
    after = 0
    for name, last in (("base-1", base // 2), ("base-2", base), ("delta-first", left), ("delta-rest", count)):
        database.execute(ROWS.format(folder=options.folder, app=1, name=name, after=after, count=last))
        after = last


main()
