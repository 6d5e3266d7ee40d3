-- What each role may do with the tables that there are. Run it as the owner, after every `tributary migrate` that has
-- applied something:
--
--   psql 'postgresql://tributary_owner@db.internal/tributary' -f grants.sql
--
-- Until then tables that a migration has made can be read and added to, which is enough for events to be stored.
-- `make check-deploy` sends the demo's traffic through a daemon with these rights.
\set ON_ERROR_STOP on

grant usage on schema public to tributary_writer, tributary_reader;
-- Also for the partitions of event, which a function of the owner's makes month by month.
alter default privileges in schema public grant select, insert on tables to tributary_writer;
alter default privileges in schema public grant select on tables to tributary_reader;

revoke all on all tables in schema public from tributary_writer, tributary_reader;

select to_regclass('public.schema_migration') is not null as is_migrated
\gset
\if :is_migrated

-- Facts: stored once, never changed.
grant select, insert on event, event_key, feed_post_key to tributary_writer;
select format('grant execute on function %s to tributary_writer', oid::regprocedure)
from pg_proc
where pronamespace = 'public'::regnamespace
    and proname in ('ensure_event_partition', 'current_transaction_number', 'summarize_events')
\gexec
-- Dead letters go in; to read and to retry them takes the owner.
grant insert on rejected_event to tributary_writer;
-- A key is looked up, and when it was last used is written down. To make one takes the owner.
grant select, update (last_used_at) on api_key to tributary_writer;
-- Signing in to the dashboard and out of it.
grant select, insert, delete on dashboard_session to tributary_writer;

-- Every other table is of one of three kinds: what the owner keeps for itself; what he writes and the daemon reads; and
-- what is derived from facts, can be thrown away and is made again by the daemon (who stands for whom, figures, timelines).
create temporary table tributary_table as
select
    oid::regclass as name,
    case
        when relname in (
            'api_key', 'dashboard_session', 'event', 'event_key', 'feed_post_key', 'rejected_event'
        ) then 'granted'
        when relname in ('deletion_receipt', 'import_progress', 'link_removal', 'transaction_generation') then 'owner'
        when relname in (
            'app', 'bi_views', 'database_identity', 'deleted_app', 'erasure', 'link_revision', 'schema_migration'
        ) then 'settings'
        else 'derived'
    end as kind
from pg_class
where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p')
    and not relispartition;

select format('grant select on %s to tributary_writer', name)
from tributary_table
where kind = 'settings'
\gexec
select format('grant select, insert, update, delete on %s to tributary_writer', name)
from tributary_table
where kind = 'derived'
\gexec

-- Who reads needs neither keys nor dead letters nor who was erased.
select format('grant select on %s to tributary_reader', name)
from tributary_table
where kind in ('settings', 'derived') and name <> coalesce(to_regclass('erasure'), 0)
    or name = 'event'::regclass
\gexec
drop table tributary_table;

-- The views for BI tools.
select 'grant usage on schema bi to tributary_writer, tributary_reader',
    'grant select on all tables in schema bi to tributary_writer, tributary_reader'
where to_regnamespace('bi') is not null
\gexec

\endif
