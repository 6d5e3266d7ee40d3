-- A cost of an app ($1) that has the name and the days of a new one.
-- $2 kind, $3 name, $4 first day, $5 day after the last one: one for each new cost.
select cost_number, kind, name, starts_on - date '1970-01-01', ends_on - date '1970-01-01', amount, currency
from cost
where app_number = $1
    and (kind, name, starts_on, ends_on) in (
        select kind, name, starts_on::date, ends_on::date
        from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as new (kind, name, starts_on, ends_on)
    )
order by cost_number
limit 1
