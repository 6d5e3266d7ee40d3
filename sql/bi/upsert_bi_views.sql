-- Records the views that were made. $1 version, $2 checksum, $3 names.
insert into bi_views (version, checksum, names)
values ($1, $2, $3)
on conflict (is_only_row) do update
    set version = excluded.version, checksum = excluded.checksum, names = excluded.names, created_at = now()
