-- Saved questions: a report with its parameters, under a name (docs/questions.md).
create table question (
    app_number integer not null,
    name text collate "C" not null,
    report text not null,
    -- Its parameters, in order. A name may occur several times.
    parameter_names text[] not null,
    parameter_values text[] not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint question_pkey primary key (app_number, name)
);

-- Roles that could store events before this migration serve questions, and the dashboard, which saves them.
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
        execute format('grant select, insert, update, delete on question to %s', writer);
    end loop;
end
$$;
