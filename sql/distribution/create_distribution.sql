-- Says that `tributary migrate --citus` has begun to distribute this database, and whether it has finished. Writers
-- lock this table, as they lock `event` on one machine: a lock of a distributed table would reach every worker.
create table if not exists distribution (
    is_only_row boolean not null default true,
    -- Of the functions (`create_distributed_functions.sql`). 0: they have not been made.
    version integer not null default 0,
    began_at timestamptz not null default now(),
    -- Null: not finished. Nothing can be stored.
    finished_at timestamptz,
    constraint distribution_pkey primary key (is_only_row),
    constraint distribution_one check (is_only_row)
);
insert into distribution default values on conflict do nothing;

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
        execute format('grant select, update on distribution to %s', writer);
    end loop;
end
$$;
