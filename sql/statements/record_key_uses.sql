-- Records the last use of keys: $1 their hashes in hexadecimal, $2 times in microseconds since 1970. If several daemons
-- have used a key, the latest time counts. The keys are locked in sort order, so that two daemons wait in line and
-- never deadlock. Those of an app that moves stay as they are.
with used as (
    select api_key.key_hash, timestamptz 'epoch' + microseconds * interval '1 microsecond' as used_at
    from unnest($1::text[], $2::bigint[]) as used (hash, microseconds)
    join api_key on api_key.key_hash = decode(used.hash, 'hex')
    where app_number <> all (array(select app_number from app_departure where barred_at is not null))
    order by api_key.key_hash
    for no key update of api_key
)
update api_key
set last_used_at = used.used_at
from used
where api_key.key_hash = used.key_hash
    and (api_key.last_used_at is null or api_key.last_used_at < used.used_at)
