-- The stale periods of an app, the newest first. $1 app_number.
select family, granularity, starts_on::text, mark, complete_through
from stale_figures
where app_number = $1
order by starts_on desc, granularity, family
