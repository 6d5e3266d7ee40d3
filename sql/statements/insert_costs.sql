-- Stores costs of an app ($1). One of the same name and days gets the new amount.
-- $2 kind, $3 name, $4 first day, $5 day after the last one, $6 millionths, $7 currency: one for each cost.
insert into cost as known (app_number, kind, name, starts_on, ends_on, amount, currency)
select $1::integer, kind, name, starts_on::date, ends_on::date, amount, currency
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[])
    as new (kind, name, starts_on, ends_on, amount, currency)
on conflict (app_number, kind, name, starts_on, ends_on) do update
    set amount = excluded.amount,
        currency = excluded.currency
    where (known.amount, known.currency) is distinct from (excluded.amount, excluded.currency)
