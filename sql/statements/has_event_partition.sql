-- Whether a month ($1 year, $2 month of the year) has a table for its events.
select to_regclass('event_' || to_char(make_date($1, $2, 1), 'YYYY_MM')) is not null
