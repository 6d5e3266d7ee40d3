-- Adds counts of requests that are no clicks. Each link and day once: $1 hosts, $2 slugs, $3 days (as days since
-- 1970-01-01), $4 previews, $5 bots, $6 HEAD requests, $7 prefetches, $8 embeddings. Counts of links that are gone with
-- their app, or move with it, are dropped. The order is the same in every daemon, so that none waits for another in a
-- circle.
insert into link_hits as known (app_number, host, slug, day, preview, bot, head, prefetch, embed)
select app_number, host, slug, date '1970-01-01' + day::integer, new.preview, new.bot, new.head, new.prefetch, new.embed
from unnest(
    $1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[]
) as new (host, slug, day, preview, bot, head, prefetch, embed)
join link using (host, slug)
where app_number <> all (array(select app_number from deleted_app))
    and app_number <> all (array(select app_number from app_departure where barred_at is not null))
order by host, slug, day
on conflict (host, slug, day) do update
    set preview = known.preview + excluded.preview,
        bot = known.bot + excluded.bot,
        head = known.head + excluded.head,
        prefetch = known.prefetch + excluded.prefetch,
        embed = known.embed + excluded.embed
