-- The sessions of people who are signed in to the dashboard. The cookie holds a random id; only its SHA-256 is kept. A
-- session ends when its row is deleted, 12 hours after it began, and with its key.
create table dashboard_session (
    session_hash bytea not null,
    key_hash bytea not null,
    created_at timestamptz not null default now(),
    constraint dashboard_session_pkey primary key (session_hash),
    constraint dashboard_session_key foreign key (key_hash) references api_key on delete cascade
);

-- For: deleting a key.
create index dashboard_session_by_key on dashboard_session (key_hash);

-- Roles that could store events before this migration serve the dashboard too.
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
        execute format('grant select, insert, delete on dashboard_session to %s', writer);
    end loop;
end
$$;
