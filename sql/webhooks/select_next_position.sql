-- Where a webhook's position can be after one pass, so that few events are new. $1 the app, $2 the position, $3 the
-- horizon, $4 the type, $5 the name; null: any. $6 how many events may be new.
select transaction_number
from event
where app_number = $1
    and transaction_number >= $2
    and transaction_number < $3
    and type = $4::event_type
    and ($5::text is null or goal = $5)
    and test_traffic is not true
order by transaction_number
offset $6
limit 1
