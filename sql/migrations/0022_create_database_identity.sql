-- Which database this is: what waits in a spool is delivered to the one that it was answered for, since the number of an app
-- means something there only. A copy made by pg_dump, a base backup or replication is the same one.
create table database_identity (
    is_only_row boolean not null default true,
    identity uuid not null default gen_random_uuid(),
    constraint database_identity_pkey primary key (is_only_row),
    constraint database_identity_one check (is_only_row)
);
insert into database_identity default values;

-- Roles that could store events before this migration still can.
do $$
declare
    writer regrole;
begin
    for writer in
        select distinct grantee::regrole
        from pg_class
        cross join lateral aclexplode(coalesce(relacl, acldefault('r', relowner)))
        where pg_class.oid = 'event'::regclass
            and privilege_type = 'INSERT'
            and grantee <> 0
            and grantee <> (select oid from pg_roles where rolname = current_user)
    loop
        execute format('grant select on database_identity to %s', writer);
    end loop;
end
$$;
