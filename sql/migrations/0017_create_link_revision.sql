-- A daemon remembers which devices and clicks it has seen linked, and by an event of which time, so that it need not ask at
-- every event of a device that is known. This counts the removals of links: who reads another number than before forgets all
-- that it remembers. It is counted in the transaction that removes, by a trigger, whoever that is; before the removal, so that
-- who removes waits for others before it holds a link that they want.
create table link_revision (
    is_only_row boolean not null default true,
    revision bigint not null,
    constraint link_revision_pkey primary key (is_only_row),
    constraint link_revision_one check (is_only_row)
);
insert into link_revision (revision) values (0);

create function note_link_removal() returns trigger
    language plpgsql
    security definer
    set search_path from current
as $$
begin
    update link_revision set revision = revision + 1;
    return null;
end
$$;
revoke execute on function note_link_removal() from public;

create trigger device_link_removal before delete or truncate on device_link
    for each statement execute function note_link_removal();
create trigger click_link_removal before delete or truncate on click_link
    for each statement execute function note_link_removal();

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
        execute format('grant select on link_revision to %s', writer);
    end loop;
end
$$;
