-- Creates the roles of Tributary for the connected database. Run it as a superuser. To run it again does no harm:
--
--   createdb tributary
--   psql -d tributary -f roles.sql
--
-- tributary_owner   owns the schema: `tributary migrate`, apps and keys, retention. Never give it to a program that
--                   takes requests from a network.
-- tributary_writer  the daemon: stores events and answers reports. It cannot change or delete stored events.
-- tributary_reader  reports and exports: only reads, and cannot read keys and dead letters.
-- tributary_bi      a group without a login, for the logins of BI tools: reads only the views of the schema bi
--                   (docs/bi.md).
--
-- The roles get no password here. Set one with \password, or use certificates or system accounts. pg_hba.conf must also
-- have a line for every role that logs in (pg_hba.conf.example).
\set ON_ERROR_STOP on

select format('create role %I login', role)
from unnest(array['tributary_owner', 'tributary_writer', 'tributary_reader']) as role
where role not in (select rolname from pg_roles)
\gexec
select 'create role tributary_bi nologin'
where not exists (select from pg_roles where rolname = 'tributary_bi')
\gexec

-- On a node of a Citus cluster, the owner and the reader have no limit: one session of the coordinator may open 16
-- connections to each worker (docs/scaling.md). `max_connections` limits them all.
select
    case when is_node then -1 else 20 end as owner_limit,
    case when is_node then -1 else 50 end as reader_limit
from (select current_setting('shared_preload_libraries') ~ '\mcitus\M' as is_node) as server
\gset
alter role tributary_owner nosuperuser nocreatedb nocreaterole connection limit :owner_limit;
alter role tributary_writer nosuperuser nocreatedb nocreaterole;
alter role tributary_reader nosuperuser nocreatedb nocreaterole connection limit :reader_limit;

-- The answer 200 promises a commit that is on disk (docs/reliability.md), whatever the server's own default is.
alter role tributary_writer set synchronous_commit = 'on';
alter role tributary_owner set synchronous_commit = 'on';
-- A group of events with a repeated id begins with an error that the daemon expects. The log shows the id without the
-- long statement. The daemon logs other errors itself.
alter role tributary_writer set log_min_error_statement = 'panic';
-- A slow or forgotten query of a reader must not hold back vacuum.
alter role tributary_reader set default_transaction_read_only = 'on';
alter role tributary_reader set statement_timeout = '5min';
alter role tributary_reader set idle_in_transaction_session_timeout = '1min';

select current_database() as database \gset
alter database :"database" owner to tributary_owner;
revoke all on database :"database" from public;
grant connect, temporary on database :"database" to tributary_owner, tributary_writer;
grant connect on database :"database" to tributary_reader, tributary_bi;

alter schema public owner to tributary_owner;
revoke all on schema public from public;
-- `tributary migrate` creates the views for BI tools in this schema.
create schema if not exists bi authorization tributary_owner;

-- If another role already owns tables of Tributary in this database, give them to the owner:
--   reassign owned by FORMER_OWNER to tributary_owner;

set role tributary_owner;
\ir grants.sql
reset role;
