-- The last time that the history of the app $1 was read again.
select rules_version, began_at, finished_at, last_transaction
from reread
where app_number = $1
