-- Where a webhook's position can be after one pass, so that the pass reads few events. $1 the app, $2 the position,
-- $3 the horizon, $4 how many events a pass may read.
select transaction_number
from event
where app_number = $1
    and transaction_number >= $2
    and transaction_number < $3
order by transaction_number
offset $4
limit 1
