-- The hashes of the keys of an app ($1) that were erased after a time ($2).
select key_hash
from erasure
where app_number = $1
    and erased_at > $2
