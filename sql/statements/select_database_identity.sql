-- Which database this is.
select identity::text from database_identity
