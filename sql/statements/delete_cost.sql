-- Removes a cost. $1 app number, $2 the cost's.
delete from cost
where app_number = $1
    and cost_number = $2
returning cost_number, kind, name, starts_on - date '1970-01-01', ends_on - date '1970-01-01', amount, currency
