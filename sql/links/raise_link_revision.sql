-- Raises the revision of links. Its row stays locked until the transaction ends, so that changes of links happen one
-- after the other.
update link_table_revision
set revision = revision + 1
returning revision, clock_timestamp()
