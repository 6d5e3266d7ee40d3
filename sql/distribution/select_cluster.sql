-- What `tributary migrate --citus` needs to know of the cluster before it begins. Runs only where the extension is.
--   1. the extension's version
--   2. whether the coordinator is in the list of nodes
--   3. the number of nodes that take shards
--   4. whether the role has the rights of the owner of the tables
--   5. the daemons that are connected to this database, by the names of their sessions
select
    (select extversion from pg_extension where extname = 'citus'),
    exists (select from pg_dist_node where groupid = 0),
    (select count(*) from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards),
    (select pg_has_role(relowner, 'usage') from pg_class where oid = 'event'::regclass),
    (
        select count(*)
        from pg_stat_activity
        where datname = current_database()
            and application_name like 'tributaryd%'
    )
