-- The last version of the rules of every app that has or had some.
select distinct on (app_number) app_number, version, rules, set_at
from app_rules
order by app_number, version desc
