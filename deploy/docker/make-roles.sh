#!/bin/sh
# At the first start of the database (compose.yaml): makes the roles, and gives them their passwords, which are secrets.
set -eu
psql -v ON_ERROR_STOP=1 -q --username postgres --dbname tributary -f /tributary/roles.sql
psql -v ON_ERROR_STOP=1 -q --username postgres --dbname tributary \
    -c 'create role tributary_grafana login in role tributary_bi'
for role in owner:owner writer:writer reader:reader grafana:bi; do
    psql -v ON_ERROR_STOP=1 -q --username postgres --dbname tributary \
        -v role="tributary_${role%:*}" -v password="$(cat "/run/secrets/${role#*:}_password")" <<'SQL'
alter role :"role" password :'password';
SQL
done
