-- How many pages the shard of each app of $2 has in the distributed table $1: the app, whether its worker answered,
-- the number or what is wrong, and the worker.
select app.number, placement.success, placement.result, placement.nodename || ':' || placement.nodeport
from run_command_on_placements(
    $1::text::regclass,
    $$ select pg_relation_size(%L::regclass) / current_setting('block_size')::bigint $$
) as placement
join unnest($2::integer[]) as app (number)
    on placement.shardid = get_shard_id_for_distribution_column($1::text::regclass, app.number)
order by app.number
