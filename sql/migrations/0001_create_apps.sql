-- Apps (tenants) and their keys. A key is random and shown once; only its SHA-256 is kept.

create table app (
    app_number integer generated always as identity,
    app_id text not null,
    name text not null,
    namespace text,
    bundle_ids text[] not null default '{}',
    iphone_store_id text,
    ipad_store_id text,
    url_scheme_suffixes text[] not null default '{}',
    login boolean not null default true,
    deep_linking boolean not null default true,
    time_zone text not null default 'UTC',
    currency text not null default 'USD',
    created_at timestamptz not null default now(),
    constraint app_pkey primary key (app_number),
    constraint app_id_unique unique (app_id)
);

create type key_scope as enum ('write', 'read');

create table api_key (
    key_hash bytea not null,
    app_number integer not null,
    scope key_scope not null,
    label text not null default '',
    -- The first characters of the key, so that people can tell keys apart.
    prefix text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    constraint api_key_pkey primary key (key_hash),
    constraint api_key_app foreign key (app_number) references app on delete cascade
);

-- For: the keys of an app (`tributary app keys`).
create index api_key_by_app on api_key (app_number);
