-- The versions of the rules of the app $1, the last first: all, or only the version $2.
select version, rules, set_at
from app_rules
where app_number = $1
    and ($2::integer is null or version = $2::integer)
order by version desc
