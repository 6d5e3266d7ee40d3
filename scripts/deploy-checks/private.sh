#!/usr/bin/env bash
# Tries the private cluster under load: its server is killed, stopped, upgraded (a stand-in that names another version),
# and deserted by its daemon. No answered event may be lost. On an idle machine, events are answered with 200 again
# within 10 s; the check allows 30 s.
#
# Then follows docs/operations.md, *Backup and restore*, for the private cluster: a dump, restored into another home,
# must give equal reports and take events.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

programs=$folder/programs
mkdir "$programs"
export PATH=$programs:$PATH

# The private cluster of a home in $folder.
address() { # name
    echo "postgresql:///tributary?host=$folder/$1.home/postgres/run&user=tributary"
}

server_process() { head -n 1 "$folder/$1.home/postgres/data/postmaster.pid" 2>/dev/null || true; }

in_home() { # name, arguments of tributary...
    TRIBUTARY_HOME=$folder/$1.home "$bin/tributary" "${@:2}"
}

# Sends single events until one is stored in the database by another server than the former one. Sets $seconds.
await_stored() { # what, home, address of the daemon, process of the former server
    seconds=$(python3 - "$folder/$2.home/postgres/data/postmaster.pid" "$3" "$write_key" "${4:-0}" <<'PYTHON'
import sys, time, urllib.error, urllib.request
pid_file, base, key, former = sys.argv[1:]
began = time.monotonic()
while time.monotonic() - began < 60:
    try:
        process = open(pid_file).readline().strip()
    except OSError:
        process = ""
    request = urllib.request.Request(base + "/v1/events", b'{"type":"install","user_id":"probe"}',
        {"Authorization": "Bearer " + key, "Content-Type": "application/json"})
    try:
        status = urllib.request.urlopen(request, timeout=20).status
    except urllib.error.HTTPError as error:
        status = error.code
    except OSError:
        status = None
    if status == 200 and process not in ("", former):
        print(f"{time.monotonic() - began:.1f}")
        break
    time.sleep(0.02)
PYTHON
    )
    [ -n "$seconds" ] || { tail -n 20 "$folder/$2.log"; die "$1: no event was answered with 200 within 60 s"; }
    say "  $1: answered with 200 again after $seconds s"
    [ "${seconds%.*}" -lt 30 ] || die "$1: that is too long"
}

start_daemon private "$bin"
clusters+=("$folder/private.home/postgres")
write_key=$(in_home private app create --id checked --name Checked --format json | sed -n 's/.*"write_key": *"\([^"]*\)".*/\1/p')
[ -n "$write_key" ] || die "no key"
# shellcheck disable=SC2154
start_sender load "$base_private"
await_answers load 200

former=$(server_process private)
kill -KILL "$former"
await_stored "killed" private "$base_private" "$former"
await_answers load 200

former=$(server_process private)
# Without waiting: the daemon may start the next server before pg_ctl sees that this one has ended.
as_postgres "$pg/pg_ctl" stop -s -W -m fast -D "$folder/private.home/postgres/data"
await_stored "stopped by an operator" private "$base_private" "$former"
await_answers load 200

former=$(server_process private)
for program in postgres initdb; do
    printf '#!/bin/sh\n[ "$1" = --version ] && echo "%s (PostgreSQL) %s" && exit\nexec "%s" "$@"\n' \
        "$program" "$("$pg/postgres" --version | sed 's/.*) \([0-9]*\).*/\1/').99 (stand-in)" "$pg/$program" >"$programs/$program"
done
chmod 755 "$programs"/*
await_stored "upgraded" private "$base_private" "$former"
grep -q 'PostgreSQL was upgraded' "$folder/private.log" || die "the daemon's log does not name the upgrade"
in_home private doctor --no-start >"$folder/doctor" || die "doctor: $(cat "$folder/doctor")"
grep -q 'runs, but .*stand-in.* is installed' "$folder/doctor" || die "doctor does not name the upgrade: $(cat "$folder/doctor")"
rm "$programs"/*
await_answers load 200

# shellcheck disable=SC2154
kill -KILL "$process_private"
wait "$process_private" 2>/dev/null || true
port=${base_private##*:} start_daemon private "$bin"
await_stored "deserted by its daemon" private "$base_private"
await_answers load 200
stop_sender load
await_delivery "$base_private"
verify_ledger private load
say "private cluster: killed, stopped, upgraded and deserted without a loss"

# docs/operations.md, *Backup and restore*, with the demo's data beside the load's.
(cd "$folder" && in_home private demo --people 500 >demo.log 2>&1) || die "$(tail -n 5 "$folder/demo.log")"
stop_daemon private
"$pg/pg_dump" -Fc -f "$folder/tributary.dump" "$(address private)" || die "pg_dump"
write_reports "$(address private)" demo "$folder/reports"
[ "$(wc -l <"$folder/reports/refs.csv")" -gt 5 ] || die "the reports are empty"

in_home restored doctor >"$folder/doctor" || true
clusters+=("$folder/restored.home/postgres")
grep -q 'this command has created it' "$folder/doctor" || die "doctor made no cluster: $(cat "$folder/doctor")"
"$pg/psql" -X -q "$(address restored)" -c 'create role tributary_bi' || die "the role"
"$pg/pg_restore" --exit-on-error --jobs=2 -d "$(address restored)" "$folder/tributary.dump" || die "pg_restore"
"$pg/psql" -X -q "$(address restored)" -c analyze
write_reports "$(address restored)" demo "$folder/reports.restored"
diff -r "$folder/reports" "$folder/reports.restored" || die "the reports of the restored cluster differ"
start_daemon restored "$bin"
# shellcheck disable=SC2154
start_sender later "$base_restored"
await_answers later 100
stop_sender later
await_delivery "$base_restored"
verify_ledger restored later
verify_ledger restored load
stop_daemon restored
say "private cluster: a dump gives the same reports in another home, and takes events"
