-- From now on ($3) what was received before and is stored by one of these keys ($2: hashes, hexadecimal) of an app ($1) is
-- dropped.
insert into erasure (app_number, key_hash, erased_at)
select $1::integer, decode(hash, 'hex'), $3::timestamptz
from unnest($2::text[]) as erased (hash)
on conflict (app_number, key_hash) do update
    set erased_at = greatest(erasure.erased_at, excluded.erased_at)
