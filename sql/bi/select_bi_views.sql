-- The state of the views for BI tools. $1 the role that may read them.
select
    bi_views.version,
    bi_views.checksum,
    coalesce(bi_views.names, '{}') as names,
    to_regnamespace('bi') is not null as has_schema,
    case
        when to_regnamespace('bi') is null then has_database_privilege(current_database(), 'create')
        else has_schema_privilege(to_regnamespace('bi'), 'create')
    end as may_create,
    exists (select from pg_roles where rolname = $1::text) as has_role,
    exists (
        select
        from pg_roles
        where rolname = $1::text
            and to_regnamespace('bi') is not null
            and has_schema_privilege(oid, to_regnamespace('bi'), 'usage')
            and not exists (
                select
                from unnest(bi_views.names) as view (name)
                where not coalesce(
                    has_table_privilege(pg_roles.oid, to_regclass('bi.' || quote_ident(view.name)), 'select'),
                    false
                )
            )
    ) as may_role_read
from (select true) as always
left join bi_views on true
