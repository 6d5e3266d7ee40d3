-- Whether the app $1 has more than $3 events of transactions from $2 on.
select count(*) > $3
from (
    select
    from event
    where app_number = $1
        and transaction_number >= $2
    limit $3 + 1
) as tail
