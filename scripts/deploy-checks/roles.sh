#!/usr/bin/env bash
# Tries deploy/postgresql/: the settings, the roles, and that each role has exactly the rights that it needs.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make_cluster server "include '$root/deploy/postgresql/tributary.conf'" "shared_buffers = 64MB"
"$pg/createdb" -h "$folder/server" -U postgres tributary
"$pg/psql" -X -q "$(address server)" -f "$root/deploy/postgresql/roles.sql"
"$pg/psql" -X -q "$(address server)" -f "$root/deploy/postgresql/roles.sql"
[ "$(sql server 'show synchronous_commit')" = on ] || die "synchronous_commit is off"
pending=$(sql server "select string_agg(name, ', ') from pg_settings where pending_restart")
[ -z "$pending" ] || die "settings that need a restart: $pending"
errors=$(sql server "select string_agg(name || ': ' || error, '; ') from pg_file_settings where error is not null")
[ -z "$errors" ] || die "tributary.conf: $errors"

owner=$(address server tributary_owner)
writer=$(address server tributary_writer)
reader=$(address server tributary_reader)

# A daemon that starts before the migration says what to do.
status=0
TRIBUTARY_PORT=0 TRIBUTARY_HOME=$folder/early TRIBUTARY_DATABASE_URL=$writer timeout 60 "$bin/tributaryd" \
    2>"$folder/early.log" || status=$?
{ [ "$status" = 77 ] && grep -q 'tributary migrate' "$folder/early.log"; } ||
    die "a daemon without rights, before the migration, ended with $status: $(tail -n 1 "$folder/early.log")"

logged=$(($(wc -l <"$folder/server/log") + 1))
"$bin/tributary" migrate --database "$owner" >/dev/null
"$pg/psql" -X -q "$owner" -f "$root/deploy/postgresql/grants.sql" >/dev/null

# The demo's traffic and reports. The owner creates apps; the daemon runs as tributary_writer.
mkdir "$folder/programs"
# A copy, because through a link the demo would find the real daemon in its folder.
cp "$bin/tributary" "$folder/programs/tributary"
cat >"$folder/programs/tributaryd" <<SCRIPT
#!/bin/sh
TRIBUTARY_DATABASE_URL='$writer' TRIBUTARY_RETENTION_AUTOMATIC=off
export TRIBUTARY_DATABASE_URL TRIBUTARY_RETENTION_AUTOMATIC
exec '$bin/tributaryd' "\$@"
SCRIPT
chmod +x "$folder/programs/tributaryd"
(cd "$folder" && programs/tributary demo --people 1000 --database "$owner" >demo.log 2>&1) ||
    { tail -n 20 "$folder/demo.log"; die "the demo failed with a daemon that runs as tributary_writer"; }
say "  demo: $(grep '^Answered' "$folder/demo.log" | tr -s ' ')"

# The demo does not cover reports over HTTP, the last use of keys, and the background work.
make_app "$owner"
start_daemon daemon "$bin" TRIBUTARY_DATABASE_URL="$writer" TRIBUTARY_RETENTION_AUTOMATIC=off
# shellcheck disable=SC2154
start_sender events "$base_daemon"
await_answers events 400
stop_sender events
read_key=$("$bin/tributary" app add-key checked --scope read --format json --database "$owner" |
    sed -n 's/.*"read_key": *"\([^"]*\)".*/\1/p')
python3 - "$base_daemon" "$read_key" "$write_key" <<'PYTHON'
import sys, urllib.error, urllib.request
for name in ["channels", "refs", "funnel", "installs", "attribution", "posts", "retention", "paths"]:
    request = urllib.request.Request(f"{sys.argv[1]}/v1/reports/{name}?format=csv", headers={"Authorization": "Bearer " + sys.argv[2]})
    urllib.request.urlopen(request, timeout=60).read()
# A dead letter.
try:
    urllib.request.urlopen(urllib.request.Request(
        sys.argv[1] + "/v1/events", b'{"type":"nonsense"}',
        {"Authorization": "Bearer " + sys.argv[3], "Content-Type": "application/json"}), timeout=60)
    sys.exit("an event of an unknown type was accepted")
except urllib.error.HTTPError as error:
    if error.code != 422: sys.exit(f"an event of an unknown type was answered with {error.code}, expected 422")
PYTHON
[ "$(sql server "select count(*) from rejected_event where event like '%nonsense%'")" = 1 ] || die "the rejected event was not stored as a dead letter"
# The daemon writes the last use of keys when it ends.
stop_daemon daemon
verify_ledger server events
[ "$(sql server "select count(*) from api_key where last_used_at is not null and label = '' and app_number = (select app_number from app where app_id = 'checked')")" -gt 0 ] ||
    die "no last use of a key was written"
if { cat "$folder/daemon.log" "$folder/demo.log"; tail -n "+$logged" "$folder/server/log"; } |
    grep -E 'permission denied|must be owner'; then
    die "a role lacks a right"
fi

# Statements that a role must not be allowed to run.
refused() { # address, statement
    local answer
    if answer=$("$pg/psql" -X -q -v ON_ERROR_STOP=1 "$1" -c "$2" 2>&1); then
        die "allowed, but should be refused: $2"
    fi
    case "$answer" in
    *"permission denied"* | *"must be "* | *"read-only transaction"*) ;;
    *) die "$2: $answer" ;;
    esac
}
partition=$(sql server "select min(inhrelid::regclass::text) from pg_inherits where inhparent = 'event'::regclass")
for statement in "update event set user_id = 'x'" "delete from event" "truncate event" "delete from $partition" \
    "update event_key set received_at = now()" "delete from feed_post_key" "select * from rejected_event" \
    "delete from rejected_event" "insert into app (app_id, name) values ('x', 'x')" "delete from api_key" \
    "update api_key set revoked_at = null" "insert into schema_migration values ('x', 'x')" "create table x ()" \
    "delete from change_log" "update change_log set actor = 'x'" "delete from link" "insert into link_host values ('x', 1, 1)" "delete from link_hits" \
    "drop table event" "alter table event add column x integer" "create schema x" "copy event to program 'true'"; do
    refused "$writer" "$statement"
done
for statement in "select * from api_key" "select * from app_secret" "select * from change_log" "select * from rejected_event" \
    "select * from dashboard_user" "select * from dashboard_invitation" "select * from shared_page" \
    "insert into event_key values (1, gen_random_uuid(), now())" \
    "delete from event" "update link set note = 'x'" "create table x ()" "create temporary table x ()" \
    "select ensure_event_partition('2099-01-01')" "select current_transaction_number()"; do
    refused "$reader" "$statement"
done

# Only the owner may remove old events.
"$bin/tributary" prune --yes --database "$owner" >/dev/null || die "the owner cannot prune"
"$bin/tributary" doctor --database "$owner" >"$folder/doctor" || die "$(cat "$folder/doctor")"

# The views for BI tools, with a login of their own.
sql server 'create role grafana login in role tributary_bi'
[ "$("$pg/psql" -X -A -t "$(address server grafana)" -c 'select count(*) > 0 from bi.channels_by_day')" = t ] ||
    die "the views are empty, or the login may not read them"
refused "$(address server grafana)" "select * from public.event"
refused "$(address server grafana)" "select * from public.app"

# The reader makes the same reports as the owner.
write_reports "$owner" demo "$folder/owner.reports"
write_reports "$reader" demo "$folder/reader.reports"
diff -r "$folder/owner.reports" "$folder/reader.reports" || die "the reports of reader and owner differ"
[ "$(wc -l <"$folder/reader.reports/channels.csv")" -gt 8 ] || die "the reports are empty"
say "roles: tributary_writer and tributary_reader have the rights that they need, and no more"
