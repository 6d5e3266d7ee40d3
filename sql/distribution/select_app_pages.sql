-- How many pages the shard of each app of $2 has in the distributed table $1: the app, whether its worker answered,
-- the number or what is wrong, and the worker. Asks only these apps' workers.
select app.number, answer.success, answer.result, node.nodename || ':' || node.nodeport
from unnest($2::integer[]) as app (number)
join pg_dist_placement as placement
    on placement.shardid = get_shard_id_for_distribution_column($1::text::regclass, app.number)
join pg_dist_node as node on node.groupid = placement.groupid and node.noderole = 'primary'
cross join lateral master_run_on_worker(
    array[node.nodename],
    array[node.nodeport],
    array[format(
        $command$ select pg_relation_size(%L::regclass) / current_setting('block_size')::bigint $command$,
        shard_name($1::text::regclass, placement.shardid)
    )],
    false
) as answer
order by app.number
