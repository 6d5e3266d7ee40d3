-- The identity of this database.
select identity::text from database_identity
