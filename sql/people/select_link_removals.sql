-- The unfinished removals of links of an app ($1; null: any): the app and the numbers of its transactions.
select app_number, array_agg(transaction_number)
from link_removal
where $1::integer is null or app_number = $1
group by app_number
order by app_number
