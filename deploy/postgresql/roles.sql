-- Makes the roles of Tributary in the database at hand. Run it as a superuser, once; again does no harm:
--
--   createdb tributary
--   psql -d tributary -f roles.sql
--
-- tributary_owner   owns the schema: `tributary migrate`, apps and keys, retention. Not for a program that faces a network.
-- tributary_writer  the daemon: stores events and answers reports; can neither change nor delete what it has stored.
-- tributary_reader  reports and exports: reads, and neither keys nor dead letters.
-- tributary_bi      no login, for the logins of BI tools: reads the views of the schema bi and nothing else (docs/bi.md).
--
-- They get no password here: set one with \password, or let them in by certificate or by the account of the system
-- (pg_hba.conf.example). A role that may log in has to be let in there, too.
\set ON_ERROR_STOP on

select format('create role %I login', role)
from unnest(array['tributary_owner', 'tributary_writer', 'tributary_reader']) as role
where role not in (select rolname from pg_roles)
\gexec
select 'create role tributary_bi nologin'
where not exists (select from pg_roles where rolname = 'tributary_bi')
\gexec

alter role tributary_owner nosuperuser nocreatedb nocreaterole connection limit 20;
alter role tributary_writer nosuperuser nocreatedb nocreaterole;
alter role tributary_reader nosuperuser nocreatedb nocreaterole connection limit 50;

-- A 200 is worth a synced commit (docs/reliability.md), whatever the server's own default is.
alter role tributary_writer set synchronous_commit = 'on';
alter role tributary_owner set synchronous_commit = 'on';
-- Nobody's dashboard holds back the vacuum of everybody's events.
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
-- The views for BI tools, which migrating fills.
create schema if not exists bi authorization tributary_owner;

-- What another role has made in this database before (a daemon that was its owner) goes to the owner:
--   reassign owned by FORMER_OWNER to tributary_owner;

set role tributary_owner;
\ir grants.sql
reset role;
