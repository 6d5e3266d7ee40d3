-- What `tributary migrate --citus` needs to know of the cluster before it begins. Runs only where the extension is.
--   1. the extension's version
--   2. whether this server is the coordinator
--   3. whether the coordinator is in the list of nodes
--   4. the number of nodes that take shards
--   5. whether the role has the rights of the owner of the tables
--   6. the daemons that are connected to this database, by the names of their sessions
select
    (select extversion from pg_extension where extname = 'citus'),
    (select groupid = 0 from pg_dist_local_group),
    exists (select from pg_dist_node where groupid = 0),
    (select count(*) from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards),
    (select pg_has_role(relowner, 'usage') from pg_class where oid = 'event'::regclass),
    (
        select count(*)
        from pg_stat_activity
        where datname = current_database()
            and application_name like 'tributaryd%'
    )
