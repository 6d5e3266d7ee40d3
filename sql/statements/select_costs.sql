-- The costs of an app ($1) of one kind ($2; null: of all), with a day from $3 to before $4, both since 1970-01-01
-- (null: of any days). $5 the most days that a cost has.
select cost_number, kind, name, starts_on - date '1970-01-01', ends_on - date '1970-01-01', amount, currency
from cost
where app_number = $1
    and ($2::text is null or kind = $2)
    and ($3::integer is null or starts_on > date '1970-01-01' + $3::integer - $5::integer)
    and ($3::integer is null or ends_on > date '1970-01-01' + $3::integer)
    and ($4::integer is null or starts_on < date '1970-01-01' + $4::integer)
order by starts_on, cost_number
