-- The revision of links, and the earliest from which changes are enough.
select revision, complete_since
from link_table_revision
