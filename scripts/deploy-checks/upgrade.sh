#!/usr/bin/env bash
# Tries an upgrade while events come in. Two old daemons serve one database; the new `tributary migrate` runs meanwhile.
# Then the daemons are replaced one after the other. No answered event may be lost or doubled. Senders may see only 200,
# 202, 503 and refused connections while their daemon restarts.
#
# Environment: OLD, a folder with the programs of the previous version. Without it the same version is used, which has
# nothing to migrate.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

old=$(cd "${OLD:-$bin}" && pwd)
make_cluster server "include '$root/deploy/postgresql/tributary.conf'" "shared_buffers = 32MB"
"$pg/createdb" -h "$folder/server" -U postgres tributary
"$pg/psql" -X -q "$(address server)" -f "$root/deploy/postgresql/roles.sql"
owner=$(address server tributary_owner)
writer=$(address server tributary_writer)
"$old/tributary" migrate --database "$owner" >/dev/null
"$pg/psql" -X -q "$owner" -f "$root/deploy/postgresql/grants.sql" >/dev/null
before=$(sql server 'select count(*) from schema_migration')
# With the old version, because the new one would migrate.
bin=$old make_app "$owner"

# The old daemons run as the owner, which versions before 0.1.0 need. The new ones run as tributary_writer.
start_daemon one "$old" TRIBUTARY_DATABASE_URL="$owner"
start_daemon two "$old" TRIBUTARY_DATABASE_URL="$owner"
# shellcheck disable=SC2154
start_sender events "$base_one,$base_two"
await_answers events 400

# 1. Migrate the schema while both old daemons serve.
began=$(date +%s%N)
"$bin/tributary" migrate --database "$owner" >"$folder/migrated"
took=$((($(date +%s%N) - began) / 1000000))
"$pg/psql" -X -q "$owner" -f "$root/deploy/postgresql/grants.sql" >/dev/null
say "  migrated in $took ms: $(paste -s -d ' ' "$folder/migrated")"
await_answers events 400

# 2. Replace one daemon after the other. Each keeps its port and its spool.
for name in one two; do
    stop_daemon "$name"
    await_answers events 100
    variable=base_$name
    port=${!variable##*:}
    start_daemon "$name" "$bin" TRIBUTARY_DATABASE_URL="$writer" TRIBUTARY_RETENTION_AUTOMATIC=off \
        TRIBUTARY_PORT="$port"
    await_answers events 200
done
stop_sender events
await_delivery "$base_one"
await_delivery "$base_two"
stop_daemon one
stop_daemon two
after=$(sql server 'select count(*) from schema_migration')
verify_ledger server events
if grep -E ' (error|critical) ' "$folder"/one.log "$folder"/two.log; then die "the new daemons' logs have errors"; fi

# 3. An old daemon that is started by accident does no harm: it says that the schema is newer, and exits.
if [ "$after" -gt "$before" ]; then
    status=0
    TRIBUTARY_PORT=0 TRIBUTARY_HOME=$folder/late TRIBUTARY_DATABASE_URL=$owner timeout 60 "$old/tributaryd" \
        2>"$folder/late.log" || status=$?
    { [ "$status" = 69 ] && grep -q 'newer version' "$folder/late.log"; } ||
        die "an old daemon on the new schema ended with $status: $(tail -n 1 "$folder/late.log")"
    say "upgrade: $((after - before)) migrations while events came in, two daemons replaced, nothing lost"
else
    say "upgrade: two daemons replaced while events came in, nothing lost (nothing to migrate; set OLD to older programs)"
fi
