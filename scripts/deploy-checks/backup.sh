#!/usr/bin/env bash
# Follows docs/operations.md, *Backup and restore*, with the demo's data. It restores a dump, and a base backup with the
# write-ahead log, once to a moment before a mistake and once to the end of the log. The restored databases must give
# equal reports and take events.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

archive=$folder/archive
make_folder "$archive"
make_cluster server "wal_level = replica" "archive_mode = on" \
    "archive_command = 'test ! -f $archive/%f && cp %p $archive/%f'" "shared_buffers = 32MB"
"$pg/createdb" -h "$folder/server" -U postgres tributary
"$pg/psql" -X -q "$(address server)" -f "$root/deploy/postgresql/roles.sql"
owner=$(address server tributary_owner)
"$bin/tributary" migrate --database "$owner" >/dev/null
"$pg/psql" -X -q "$owner" -f "$root/deploy/postgresql/grants.sql" >/dev/null
(cd "$folder" && "$bin/tributary" demo --people 1000 --database "$owner" >demo.log 2>&1) || die "$(tail -n 5 "$folder/demo.log")"

# The base backup is taken while events come in.
make_app "$owner"
start_daemon daemon "$bin" TRIBUTARY_DATABASE_URL="$owner"
# shellcheck disable=SC2154
start_sender events "$base_daemon"
await_answers events 200
make_folder "$folder/base"
as_postgres "$pg/pg_basebackup" -h "$folder/server" -U postgres -D "$folder/base/data" --checkpoint=fast --wal-method=stream ||
    die "pg_basebackup"
as_postgres "$pg/pg_verifybackup" -q "$folder/base/data" || die "pg_verifybackup"
await_answers events 200
stop_sender events
stop_daemon daemon

# A dump of this moment.
"$pg/pg_dump" -Fc -f "$folder/tributary.dump" "$(address server)" || die "pg_dump"
"$pg/pg_dumpall" -h "$folder/server" -U postgres --roles-only --no-role-passwords >"$folder/roles.dump" || die "pg_dumpall"
write_reports "$owner" demo "$folder/reports"
write_reports "$owner" checked "$folder/reports/checked"
[ "$(wc -l <"$folder/reports/refs.csv")" -gt 5 ] || die "the reports are empty"

# Then a mistake: somebody deletes an app.
sleep 0.1
moment=$(sql server 'select clock_timestamp()')
"$bin/tributary" app delete demo --yes --database "$owner" >/dev/null
sql server 'select pg_switch_wal()' >/dev/null
last=$(sql server 'select last_archived_wal from pg_stat_archiver')
for _ in $(seq 1200); do
    [ -n "$last" ] && [ "$(sql server "select count(*) from pg_ls_archive_statusdir() where name like '%.ready'")" = 0 ] && break
    sleep 0.1
    last=$(sql server 'select last_archived_wal from pg_stat_archiver')
done
stop_cluster server immediate

takes_events() { # cluster
    make_app_again=$("$bin/tributary" app create --id afterwards --name Afterwards --format json \
        --database "$(address "$1" tributary_owner)")
    write_key=$(printf '%s' "$make_app_again" | sed -n 's/.*"write_key": *"\([^"]*\)".*/\1/p')
    start_daemon "daemon_$1" "$bin" TRIBUTARY_DATABASE_URL="$(address "$1" tributary_writer)"
    local variable=base_daemon_$1
    start_sender "events_$1" "${!variable}"
    await_answers "events_$1" 100
    stop_sender "events_$1"
    stop_daemon "daemon_$1"
    verify_ledger "$1" "events_$1"
    # Reports that read only the delta must count the new events too.
    write_reports "$(address "$1" tributary_reader)" afterwards "$folder/afterwards.$1"
    [ "$(sed -n 's/^total,\([0-9]*\),.*/\1/p' "$folder/afterwards.$1/channels.csv")" -gt 0 ] ||
        die "the reports of $1 do not count new events"
}

same_reports() { # cluster
    write_reports "$(address "$1" tributary_owner)" demo "$folder/reports.$1"
    write_reports "$(address "$1" tributary_owner)" checked "$folder/reports.$1/checked"
    diff -r "$folder/reports" "$folder/reports.$1" || die "the reports of $1 differ"
}

# 1. The dump, into a new cluster.
make_cluster dumped "shared_buffers = 32MB"
grep -v 'CREATE ROLE postgres\|ALTER ROLE postgres' "$folder/roles.dump" | "$pg/psql" -X -q -v ON_ERROR_STOP=1 "$(address dumped postgres postgres)"
"$pg/createdb" -h "$folder/dumped" -U postgres --owner=tributary_owner tributary
"$pg/pg_restore" --exit-on-error --jobs=2 -d "$(address dumped)" "$folder/tributary.dump" || die "pg_restore"
sql dumped 'analyze'
same_reports dumped
verify_ledger dumped events
takes_events dumped
say "  dump and restore: the same reports"
stop_cluster dumped

restore_base() { # name, recovery settings...
    local name=$1
    shift
    make_folder "$folder/$name"
    as_postgres cp -a "$folder/base/data" "$folder/$name/data"
    configure "$name" "archive_mode = off" "restore_command = 'cp $archive/%f %p'" "recovery_target_action = 'promote'" "$@"
    as_postgres touch "$folder/$name/data/recovery.signal"
    start_cluster "$name"
    for _ in $(seq 600); do
        [ "$(sql "$name" 'select pg_is_in_recovery()')" = f ] && return 0
        sleep 0.1
    done
    die "$name did not finish its recovery"
}

# 2. The base backup and the log up to the moment before the mistake.
restore_base before "recovery_target_time = '$moment'"
same_reports before
verify_ledger before events
takes_events before
say "  base backup and log, up to the moment: the same reports"
stop_cluster before

# 3. The base backup and the whole log: it includes the mistake and every answered event.
restore_base whole
verify_ledger whole events
if "$bin/tributary" app show demo --database "$(address whole tributary_owner)" >/dev/null 2>&1; then
    die "the recovery did not read the log to its end: the deleted app is still there"
fi
say "  base backup and log, to the end: no answered event is lost"
say "backup: a dump, a base backup and a recovery to a moment give the same reports and take events"
