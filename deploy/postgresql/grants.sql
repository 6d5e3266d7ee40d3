-- Gives each role its rights to the tables that exist now. Run it as the owner, after every `tributary migrate` that
-- applied a migration:
--
--   psql 'postgresql://tributary_owner@db.internal/tributary' -f grants.sql
--
-- Until you run it, the daemon can read new tables and insert into them. This is enough to store events.
-- `make check-deploy` sends the demo's traffic through a daemon with these rights.
\set ON_ERROR_STOP on

-- All or nothing: while it runs, and if it fails, the roles keep their rights.
begin;
-- In a Citus cluster, one worker after the other, because tables refer to each other. Elsewhere, nothing reads it.
set local citus.multi_shard_modify_mode = 'sequential';

grant usage on schema public to tributary_writer, tributary_reader;
-- These defaults also apply to new partitions of event: a function of the owner creates one each month.
alter default privileges in schema public grant select, insert on tables to tributary_writer;
alter default privileges in schema public grant select on tables to tributary_reader;

-- Not those of an extension, which has another owner.
select format('revoke all on %s from tributary_writer, tributary_reader', pg_class.oid::regclass)
from pg_class
where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    and pg_has_role(relowner, 'usage')
    and not exists (
        select
        from pg_depend
        where classid = 'pg_class'::regclass
            and objid = pg_class.oid
            and deptype = 'e'
    )
\gexec

select to_regclass('public.schema_migration') is not null as is_migrated
\gset
\if :is_migrated

-- The daemon stores events and their keys once, and never changes them.
grant select, insert on event, event_key, feed_post_key to tributary_writer;
select format('grant execute on function %s to tributary_writer', oid::regprocedure)
from pg_proc
where pronamespace = 'public'::regnamespace
    and proname in (
        'ensure_event_partition', 'current_transaction_number', 'summarize_events',
        -- In a Citus cluster.
        'summarize_part', 'set_months_aside', 'take_up_lost_events'
    )
\gexec
-- The daemon only adds dead letters. Only the owner reads and retries them.
grant insert on rejected_event to tributary_writer;
-- The daemon looks keys up, and stores when each was last used. Only the owner creates keys.
grant select, update (last_used_at) on api_key to tributary_writer;
-- The daemon stores a session when someone signs in to the dashboard, and deletes it when they sign out.
grant select, insert, update, delete on dashboard_session to tributary_writer;
-- Managers of an app invite users and remove them, users choose passwords, and analysts share pages: the daemon stores
-- all of that. Nobody else reads addresses and hashes of passwords.
select
    'grant select, insert, update, delete
        on dashboard_user, dashboard_role, dashboard_invitation, shared_page to tributary_writer'
where to_regclass('public.dashboard_user') is not null
\gexec
-- The daemon creates and changes links by `POST /v1/links`, and counts requests that are no clicks.
select
    'grant select, insert, update on link, link_hits to tributary_writer',
    'grant select, update on link_table_revision to tributary_writer',
    'grant select on link, link_hits to tributary_reader'
where to_regclass('public.link') is not null
\gexec
-- The daemon saves questions of people who are signed in to the dashboard.
select
    'grant select, insert, update, delete on question to tributary_writer',
    'grant select on question to tributary_reader'
where to_regclass('public.question') is not null
\gexec
-- The daemon tells webhooks what is new, and pauses those that want nothing more. Their secrets are for nobody else.
select 'grant select, update on webhook to tributary_writer'
where to_regclass('public.webhook') is not null
\gexec
-- The daemon sends questions, and stores schedules and notes of people who give a write key to the dashboard. Targets
-- may be secret addresses, so the reader gets only the notes.
select
    'grant select, insert, update, delete on question_schedule, question_run, note to tributary_writer',
    'grant select on note to tributary_reader'
where to_regclass('public.question_schedule') is not null
\gexec
-- The daemon stores costs and exchange rates of people who give it a write key.
select
    'grant select, insert, update, delete on cost, exchange_rate to tributary_writer',
    'grant select on cost, exchange_rate to tributary_reader'
where to_regclass('public.cost') is not null
\gexec

-- The daemon writes what people change. The reader may not know who did.
select 'grant select, insert on change_log to tributary_writer'
where to_regclass('public.change_log') is not null
\gexec

-- In a Citus cluster, the daemon locks this table while it stores.
select
    'grant select, update on distribution to tributary_writer',
    'grant select on distribution to tributary_reader'
where to_regclass('public.distribution') is not null
\gexec

-- Every other table is of one of four kinds:
--   owner     only the owner uses it
--   settings  the owner writes it, the daemon reads it
--   secret    the same, and the reader must not read it
--   derived   the daemon makes it from events and can make it again (people, figures, timelines)
create temporary table tributary_table as
select
    oid::regclass as name,
    case
        when relname in (
            'api_key', 'change_log', 'cost', 'dashboard_invitation', 'dashboard_role', 'dashboard_session',
            'dashboard_user', 'distribution', 'event', 'event_key', 'exchange_rate', 'feed_post_key', 'link',
            'link_hits', 'link_table_revision', 'note', 'question', 'question_run', 'question_schedule',
            'rejected_event', 'shared_page', 'webhook'
        ) then 'granted'
        when relname in ('deletion_receipt', 'import_progress', 'link_removal', 'transaction_generation') then 'owner'
        when relname in (
            'app', 'app_arrival', 'app_departure', 'app_origin', 'app_property', 'app_rules', 'bi_views',
            'database_identity', 'deleted_app', 'event_key_set', 'link_host', 'link_revision', 'reread',
            'schema_migration'
        ) then 'settings'
        when relname in ('app_secret', 'erasure') then 'secret'
        else 'derived'
    end as kind
from pg_class
where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p')
    and not relispartition;

select format('grant select on %s to tributary_writer', name)
from tributary_table
where kind in ('settings', 'secret')
\gexec
select format('grant select, insert, update, delete on %s to tributary_writer', name)
from tributary_table
where kind = 'derived'
\gexec

-- The reader gets no right to keys, secrets, dead letters and erasures.
select format('grant select on %s to tributary_reader', name)
from tributary_table
where kind in ('settings', 'derived')
    or name = 'event'::regclass
\gexec
drop table tributary_table;

-- The views for BI tools.
select 'grant usage on schema bi to tributary_writer, tributary_reader',
    'grant select on all tables in schema bi to tributary_writer, tributary_reader'
where to_regnamespace('bi') is not null
\gexec

\endif

commit;
