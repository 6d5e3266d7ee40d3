-- By which rules the events of the app $1 are read, and when its history was read again last: columns of nulls if never.
select rules.version, rules.set_at, reread.rules_version, reread.finished_at
from (values (1)) as one
left join lateral (
    select version, set_at
    from app_rules
    where app_number = $1
    order by version desc
    limit 1
) as rules on true
left join reread on reread.app_number = $1
