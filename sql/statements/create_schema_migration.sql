-- The migrations that have been applied to this database (Migrator).
create table if not exists schema_migration (
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    constraint schema_migration_pkey primary key (name)
)
