-- The rules of an app in front of those of every app, and history that was read again by them (docs/rules.md).

-- Every version is kept.
create table app_rules (
    app_number integer not null,
    -- From 1.
    version integer not null,
    -- YAML, as it was given. Null: from then on the app has no rules of its own.
    rules text,
    set_at timestamptz not null default clock_timestamp(),
    constraint app_rules_pkey primary key (app_number, version)
);

-- The last time that an app's history was read again.
create table reread (
    app_number integer not null,
    -- By which version of the app's rules; 0: it has none.
    rules_version integer not null,
    began_at timestamptz not null,
    -- Null: it is being read again, or that was interrupted.
    finished_at timestamptz,
    -- The last transaction that rewrote events.
    last_transaction bigint not null,
    constraint reread_pkey primary key (app_number)
);

-- Which values of a touch the sender stated, as bits (`StatedFields`). Null: stored before this was noted.
alter table event add column stated smallint;
-- The transaction that read the event again last, so that incremental exports have it again.
alter table event add column reread_transaction bigint;

-- Roles that could store events before this migration follow the rules, and say so in reports.
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
        execute format('grant select on app_rules, reread to %s', writer);
    end loop;
end
$$;
