-- Idempotency keys of the last weeks only: their index takes ids at random, so it must fit in memory, however long the
-- history is. An event that was received earlier is found by its time and its id.

-- For: what is stored for ever once (docs/reliability.md, *How the promise is kept*), and the scan of a report, which
-- reads one app's events of a range of time. It replaces `event_by_app_and_time`. Months that exist get their part of it
-- later, while events are stored (`EventIdentityIndex`).
create unique index event_identity on only event (app_number, occurred_at, event_id);

-- Which keys `event_key` has.
create table event_key_set (
    -- All that were received since this time, and those of deleted people's events.
    kept_from timestamptz not null,
    -- If it is not null, `event_key_next` has all keys since this time, and can take the place of `event_key`.
    next_kept_from timestamptz,
    is_only_row boolean not null default true,
    constraint event_key_set_pkey primary key (is_only_row),
    constraint event_key_set_only_row check (is_only_row)
);

insert into event_key_set (kept_from)
select case when exists (select from event_key) then '-infinity' else now() end;

-- Writes new keys to the next set too.
create function note_event_keys() returns trigger
    language plpgsql
    security definer
    set search_path from current
as $$
begin
    insert into event_key_next (app_number, event_id, received_at)
    select app_number, event_id, received_at
    from new_key
    on conflict do nothing;
    return null;
end
$$;

-- Makes the next set of keys, empty. From the commit on, each new key goes into both. Does nothing if there is one.
create function begin_event_key_renewal() returns void
    language plpgsql
    set search_path from current
as $$
declare
    owner regrole;
    privilege record;
begin
    if to_regclass('event_key_next') is not null then
        return;
    end if;
    -- Waits for those who are storing events.
    lock table event_key in share row exclusive mode;
    create table event_key_next (like event_key including defaults including constraints);
    alter table event_key_next add constraint event_key_next_pkey primary key (app_number, event_id);
    -- It may be a superuser who runs this.
    select relowner::regrole into owner from pg_class where oid = 'event_key'::regclass;
    execute format('alter table event_key_next owner to %s', owner);
    for privilege in
        select privilege_type, case when grantee = 0 then 'public' else grantee::regrole::text end as grantee
        from pg_class
        cross join lateral aclexplode(relacl)
        where oid = 'event_key'::regclass
            and grantee <> relowner
    loop
        execute format('grant %s on event_key_next to %s', privilege.privilege_type, privilege.grantee);
    end loop;
    create trigger event_key_renewal
        after insert on event_key
        referencing new table as new_key
        for each statement
        execute function note_event_keys();
    update event_key_set set next_kept_from = null;
end
$$;

-- Puts the next set of keys in the place of the old one, which is dropped.
create function finish_event_key_renewal() returns void
    language plpgsql
    set search_path from current
as $$
begin
    lock table event_key in access exclusive mode;
    delete from event_key_next where app_number in (select app_number from deleted_app);
    drop table event_key;
    alter table event_key_next rename to event_key;
    alter table event_key rename constraint event_key_next_pkey to event_key_pkey;
    update event_key_set set kept_from = next_kept_from, next_kept_from = null;
end
$$;

-- Keeps keys of an app for ever: those of events that are deleted with their person, so that no retry brings them back.
-- A renewal that begins waits for this transaction; one that has begun gets the keys here.
create function keep_event_keys(app integer, ids uuid[]) returns void
    language plpgsql
    set search_path from current
as $$
begin
    insert into event_key (app_number, event_id, received_at)
    select app, id, 'infinity'
    from unnest(ids) as kept (id)
    order by id
    on conflict (app_number, event_id) do update set received_at = 'infinity';
    if to_regclass('event_key_next') is not null then
        insert into event_key_next (app_number, event_id, received_at)
        select app, id, 'infinity'
        from unnest(ids) as kept (id)
        order by id
        on conflict (app_number, event_id) do update set received_at = 'infinity';
    end if;
end
$$;

revoke execute on function
    note_event_keys(),
    begin_event_key_renewal(),
    finish_event_key_renewal(),
    keep_event_keys(integer, uuid[])
from public;

do $$
declare
    writer regrole;
begin
    -- A new database has no months yet.
    if not exists (select from pg_inherits where inhparent = 'event'::regclass) then
        drop index event_by_app_and_time;
    end if;
    -- Roles that could store events before this migration still can.
    for writer in
        select distinct grantee::regrole
        from pg_class
        cross join lateral aclexplode(relacl)
        where pg_class.oid = 'event'::regclass
            and privilege_type = 'INSERT'
            and grantee <> 0
            and grantee <> relowner
    loop
        execute format('grant select on event_key_set to %s', writer);
    end loop;
end
$$;
