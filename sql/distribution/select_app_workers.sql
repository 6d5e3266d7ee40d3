-- The workers that store apps ($1), as Citus numbers them, and their addresses.
select app.number, placement.groupid, node.nodename || ':' || node.nodeport
from unnest($1::integer[]) as app (number)
join pg_dist_placement as placement
    on placement.shardid = get_shard_id_for_distribution_column('event_key', app.number)
join pg_dist_node as node on node.groupid = placement.groupid and node.noderole = 'primary'
