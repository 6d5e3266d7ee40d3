-- Each worker, for `tributary doctor`: its name and port, whether it answers, and what it says, with blanks between, or
-- what is wrong:
--   1. the version of the server, and that of the extension
--   2. how many parts are being moved from it, as publications
--   3. the transactions of the coordinator that have been in doubt there for more than two minutes
select nodename, nodeport, success, result
from run_command_on_workers(
    $command$
    select concat_ws(
        ' ',
        split_part(current_setting('server_version'), ' ', 1),
        (select extversion from pg_extension where extname = 'citus'),
        (select count(*) from pg_publication where pubname like 'citus\_shard\_%'),
        (
            select count(*)
            from pg_prepared_xacts
            where database = current_database()
                and gid like 'citus\_0\_%'
                and prepared < now() - interval '2 minutes'
        )
    )
    $command$
)
order by nodename, nodeport
