-- The next of the keys whose people have no events left: those after place $1, at most $2.
select key, person, user_id, device_id, precedence, occurred_at, event_id::text
from orphaned_key
where place > $1
order by place
limit $2
