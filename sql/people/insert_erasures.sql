-- Bars keys ($2: their hashes, in hexadecimal) of an app ($1): an event of theirs that was received before $3 and is
-- stored later is dropped.
insert into erasure (app_number, key_hash, erased_at)
select $1::integer, decode(hash, 'hex'), $3::timestamptz
from unnest($2::text[]) as erased (hash)
on conflict (app_number, key_hash) do update
    set erased_at = greatest(erasure.erased_at, excluded.erased_at)
