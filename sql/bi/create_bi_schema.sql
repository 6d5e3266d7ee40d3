-- Creates the schema that BI tools see.
create schema if not exists bi;
comment on schema bi is 'Tributary''s figures by day, week and month, for BI tools. See docs/bi.md.';
