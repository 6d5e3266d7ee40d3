-- What a node of a cluster says of itself, as JSON. The coordinator answers it, and sends it to each worker, where it
-- can have no parameters, so its parameter is a setting (`BoundStatement`):
--   tributary.settings    the names of the wanted settings, as an array
--
-- `versions` are those of the server and of the extension; `parts_leaving` are being moved to another worker, each by a
-- publication; `commits_in_doubt` are transactions of the coordinator that have been in doubt here for more than two
-- minutes; `functions` are hashes of their definitions, and `logins` the roles that can log in, with their limits of
-- connections (-1: none).
select json_build_object(
    'versions', (
        select concat_ws(' ', split_part(current_setting('server_version'), ' ', 1), max(extversion))
        from pg_extension
        where extname = 'citus'
    ),
    'parts_leaving', (select count(*) from pg_publication where pubname like 'citus\_shard\_%'),
    'commits_in_doubt', (
        select count(*)
        from pg_prepared_xacts
        where database = current_database()
            and gid like 'citus\_0\_%'
            and prepared < now() - interval '2 minutes'
    ),
    'settings', (
        select json_object_agg(name, setting)
        from pg_settings
        where name = any (current_setting('tributary.settings')::text[])
    ),
    'functions', (
        select json_object_agg(oid::regprocedure, md5(pg_get_functiondef(oid)))
        from pg_proc
        where pronamespace = (select relnamespace from pg_class where oid = to_regclass('event'))
            and prokind = 'f'
    ),
    'logins', (select json_object_agg(rolname, rolconnlimit) from pg_roles where rolcanlogin)
)::text
