-- The workers that store apps ($1), as Citus numbers its nodes.
select app.number, placement.groupid
from unnest($1::integer[]) as app (number)
join pg_dist_placement as placement
    on placement.shardid = get_shard_id_for_distribution_column('event_key', app.number)
