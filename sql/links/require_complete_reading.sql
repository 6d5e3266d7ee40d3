-- Makes everybody who has read links before read them again. Runs after raise_link_revision.
update link_table_revision
set complete_since = revision
