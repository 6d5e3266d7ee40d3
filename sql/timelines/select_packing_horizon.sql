-- Up to which transaction to pack the app $1 next: from $2 on at most about $4 events, and whole transactions, at least one;
-- never $3 or later.
with tail as (
    select transaction_number
    from event
    where app_number = $1
        and transaction_number >= $2
        and transaction_number < $3
    order by transaction_number
    limit $4::bigint + 1
)
select
    case
        when count(*) <= $4 then $3
        else greatest(max(transaction_number), min(transaction_number) + 1)
    end
from tail
