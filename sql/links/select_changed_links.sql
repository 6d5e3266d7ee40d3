-- The links that have changed after a revision ($1), deleted ones too, at most $2.
select
    deleted_at,
    --include link_fields
from link
where revision > $1
order by revision
limit $2
