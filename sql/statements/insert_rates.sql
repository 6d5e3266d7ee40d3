-- Stores rates of an app ($1) in place of those of the same currencies and days.
-- $2 currency, $3 day, $4 numerator, $5 denominator: one for each rate, each currency and day once.
insert into exchange_rate as known (app_number, currency, day, numerator, denominator)
select $1::integer, currency, day::date, numerator, denominator
from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) as new (currency, day, numerator, denominator)
on conflict (app_number, currency, day) do update
    set numerator = excluded.numerator,
        denominator = excluded.denominator
    where (known.numerator, known.denominator) is distinct from (excluded.numerator, excluded.denominator)
