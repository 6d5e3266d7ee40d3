-- The rates of an app ($1) for days from $2 to $3, both since 1970-01-01, and for one currency ($4; null: for all),
-- $5 at most (null: all).
select currency, day - date '1970-01-01', numerator, denominator
from exchange_rate
where app_number = $1
    and day between date '1970-01-01' + $2::integer and date '1970-01-01' + $3::integer
    and ($4::text is null or currency = $4)
order by currency, day
limit $5
