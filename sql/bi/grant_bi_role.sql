-- Lets the role read the views, which read the tables as their owner.
grant usage on schema bi to tributary_bi;
grant select on all tables in schema bi to tributary_bi;
