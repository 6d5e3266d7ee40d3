-- Adds a version of the rules of the app $1: the YAML $2; null removes the rules. The caller has raised the revision of
-- links, so nobody else adds one meanwhile.
insert into app_rules (app_number, version, rules)
select $1::integer, coalesce(max(version), 0) + 1, $2
from app_rules
where app_number = $1::integer
returning version, rules, set_at
