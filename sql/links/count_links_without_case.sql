-- How many live links of a host ($1) have a slug ($2) that may be spelled with other case. The collation "C" knows the
-- case of ASCII only.
select count(*)
from link
where host = $1
    and lower(slug) = lower($2 collate "C")
    and deleted_at is null
