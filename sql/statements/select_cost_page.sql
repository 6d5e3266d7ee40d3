-- The next costs of an app ($1) by their first day, after the one of day $2 since 1970-01-01 and number $3 (null: the
-- first ones). $4 how many.
select cost_number, kind, name, starts_on - date '1970-01-01', ends_on - date '1970-01-01', amount, currency
from cost
where app_number = $1
    and ($2::integer is null or (starts_on, cost_number) > (date '1970-01-01' + $2::integer, $3::bigint))
order by starts_on, cost_number
limit $4
