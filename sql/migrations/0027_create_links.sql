-- Short links: the hosts of each app, its links, and what their requests that are no clicks count (docs/redirects.md).

-- What links need to know of their app, in addition to its store ids and bundle ids.
alter table app
    add column android_package text,
    add column android_certificates text[] not null default '{}',
    add column apple_team_id text,
    add column apple_provider_token text;

create table link_host (
    host text collate "C" not null,
    app_number integer not null,
    -- The order in which the app names its hosts. New links are on the first.
    position integer not null,
    constraint link_host_pkey primary key (host)
);

-- For: the hosts of an app.
create index link_host_by_app on link_host (app_number, position);

-- A link that is deleted keeps its row, so that its slug stays taken.
create table link (
    app_number integer not null,
    host text collate "C" not null,
    slug text collate "C" not null,
    target_url text,
    mobile_url text,
    app_url text,
    fallback text not null,
    ref text[] not null,
    channel text,
    title text,
    description text,
    image_url text,
    site_name text,
    og_type text,
    forward_query boolean not null,
    append_click_id boolean not null,
    campaign text,
    expires_at timestamptz,
    expired_url text,
    disabled boolean not null,
    note text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    -- Of its last change (link_table_revision).
    revision bigint not null,
    -- A hash of the fields without host, slug and times.
    content_hash bigint not null,
    constraint link_pkey primary key (host, slug)
);

-- For: the links of an app (`tributary link list`, `tributary link export`).
create index link_by_app on link (app_number, host, slug);

-- For: the newest links of an app.
create index link_by_age on link (app_number, created_at, host, slug);

-- For: a live link with equal fields (`tributary link create --reuse`).
create index link_by_content on link (app_number, content_hash) where deleted_at is null;

-- For: the links that have changed since a daemon read them.
create index link_by_revision on link (revision);

-- The number of the last change of a link, of a host, or of an app. A change raises it in its own transaction before it
-- writes anything else. The row is then locked, so the changes become visible in the order of their numbers.
create table link_table_revision (
    is_only_row boolean not null default true,
    revision bigint not null,
    -- Who has read an earlier revision must read all links again: rows of an app have been deleted since.
    complete_since bigint not null,
    constraint link_table_revision_pkey primary key (is_only_row),
    constraint link_table_revision_one check (is_only_row)
);
insert into link_table_revision (revision, complete_since) values (1, 1);

-- Requests that are no clicks, by link and day (UTC).
create table link_hits (
    app_number integer not null,
    host text collate "C" not null,
    slug text collate "C" not null,
    day date not null,
    preview bigint not null,
    bot bigint not null,
    head bigint not null,
    prefetch bigint not null,
    embed bigint not null,
    constraint link_hits_pkey primary key (host, slug, day)
);

-- For: the figures of an app (`tributary report links`).
create index link_hits_by_app on link_hits (app_number, day);

-- Roles that could store events before this migration serve links too.
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
        execute format('grant select on link_host to %s', writer);
        execute format('grant select, insert, update on link, link_hits to %s', writer);
        execute format('grant select, update on link_table_revision to %s', writer);
    end loop;
end
$$;
