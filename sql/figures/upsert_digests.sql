-- Keeps the digests of days (`ValueDigests`). $1 app_number, $2 days, $3 digests.
insert into figures_digest (app_number, day, digest)
select $1, day::date, digest::bigint
from unnest($2::text[], $3::text[]) as present (day, digest)
on conflict (app_number, day) do update
    set digest = excluded.digest
