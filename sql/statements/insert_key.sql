-- Makes a key. $1 its hash, $2 app number, $3 scope, $4 label, $5 prefix, $6 seconds until it expires (null: never), $7 the
-- origins of web pages that may use it (null: those that the valid keys of this scope have).
insert into api_key (key_hash, app_number, scope, label, prefix, expires_at, origins)
select
    $1::bytea,
    $2::integer,
    $3::text::key_scope,
    $4::text,
    $5::text,
    now() + make_interval(secs => $6::bigint),
    coalesce($7::text[], array_agg(distinct origin order by origin), '{}')
from api_key
cross join lateral unnest(origins) as origin
where app_number = $2::integer
    and scope = $3::text::key_scope
    and revoked_at is null
    and (expires_at is null or expires_at > now())
