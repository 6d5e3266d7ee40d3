-- What each worker of a cluster must have as the coordinator has it, by kind and name:
--   function    those that statements for workers may call, and those that Citus keeps equal on all nodes
--   login       roles that may read or store something: the coordinator logs in at the workers as each of them
select 'function', oid::regprocedure::text
from pg_proc
where pronamespace = (select relnamespace from pg_class where oid = 'event'::regclass)
    and prokind = 'f'
    and (
        provolatile = 'i'
        or exists (
            select
            from pg_dist_object
            where classid = 'pg_proc'::regclass
                and objid = pg_proc.oid
        )
    )
    and not exists (
        select
        from pg_depend
        where classid = 'pg_proc'::regclass
            and objid = pg_proc.oid
            and deptype = 'e'
    )
union all
select 'login', rolname::text
from pg_roles
where rolcanlogin
    and (
        has_table_privilege(oid, 'event', 'select')
        or exists (
            select
            from pg_namespace
            where nspname = 'bi'
                and has_schema_privilege(pg_roles.oid, pg_namespace.oid, 'usage')
        )
    )
order by 1, 2
