-- The rules that the app $1 has now: null if it has removed those that it had.
select rules
from app_rules
where app_number = $1
order by version desc
limit 1
