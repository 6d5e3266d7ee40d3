-- For each currency that an app ($1) has rates of: how many there are, the first day, and the last rate.
select distinct on (currency)
    currency,
    day - date '1970-01-01',
    numerator,
    denominator,
    count(*) over (partition by currency),
    min(day) over (partition by currency) - date '1970-01-01'
from exchange_rate
where app_number = $1
order by currency, day desc
