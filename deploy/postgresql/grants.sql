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
-- Dead letters go in; to read and to retry them takes the owner.
grant insert on rejected_event to tributary_writer;
-- A key is looked up, and when it was last used is written down. To make one takes the owner.
grant select on app to tributary_writer;
grant select, update (last_used_at) on api_key to tributary_writer;
grant select on schema_migration to tributary_writer;

-- Everything else is derived from facts, can be thrown away and is made again: who stands for whom, figures, timelines.
select format('grant select, insert, update, delete on %s to tributary_writer', oid::regclass)
from pg_class
where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p')
    and not relispartition
    and relname not in (
        'api_key', 'app', 'event', 'event_key', 'feed_post_key', 'rejected_event', 'schema_migration',
        'transaction_generation'
    )
\gexec

-- Who reads needs neither keys nor dead letters, and views read what they show with the owner's rights.
select format('grant select on %s to tributary_reader', oid::regclass)
from pg_class
where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p', 'v', 'm')
    and not relispartition
    and relname not in ('api_key', 'event_key', 'feed_post_key', 'rejected_event')
\gexec
-- Views that the daemon asks.
select format('grant select on %s to tributary_writer', oid::regclass)
from pg_class
where relnamespace = 'public'::regnamespace
    and relkind in ('v', 'm')
\gexec

\endif
