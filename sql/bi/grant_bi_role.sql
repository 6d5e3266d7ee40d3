-- Lets the role read the views. The views read the tables with the rights of their owner.
grant usage on schema bi to tributary_bi;
grant select on all tables in schema bi to tributary_bi;
