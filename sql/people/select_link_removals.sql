-- Removals of links that came to no end, of an app ($1; null: any): the app and the transactions.
select app_number, array_agg(transaction_number)
from link_removal
where $1::integer is null or app_number = $1
group by app_number
order by app_number
