# shellcheck shell=bash
# Shared by the checks of deploy/: a temporary folder, PostgreSQL clusters in it, daemons, and the removal of all these.
# Source it.
#
# Environment: BIN, a folder with both programs (default .build/debug); KEEP, to keep the folder of a failed check.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=$(cd "${BIN:-$root/.build/debug}" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/tributary-check.XXXXXX")
# If root runs the check, PostgreSQL runs as another account, which must be able to enter the folder.
chmod 755 "$folder"
clusters=()
children=()
unset DATABASE_URL TRIBUTARY_DATABASE_URL PGHOST PGUSER PGDATABASE

say() { printf '%s\n' "$*"; }
die() {
    say "FAILED: $*"
    exit 1
}

finish() {
    status=$?
    trap - EXIT
    set +e
    for child in "${children[@]}"; do kill -TERM "$child" 2>/dev/null; done
    for child in "${children[@]}"; do wait "$child" 2>/dev/null; done
    for cluster in "${clusters[@]}"; do
        [ ! -e "$cluster/data/postmaster.pid" ] || as_postgres "$pg/pg_ctl" stop -s -m immediate -D "$cluster/data"
    done
    if [ "$status" != 0 ] && [ -n "${KEEP:-}" ]; then
        say "kept: $folder"
    else
        rm -rf "$folder"
    fi
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

# The newest installed server programs.
pg=$(dirname "$(find /usr/lib/postgresql/*/bin /usr/pgsql-*/bin -name pg_ctl 2>/dev/null | sort -V | tail -n 1)")
[ -x "$pg/pg_ctl" ] || die "PostgreSQL's server programs are missing; install the package postgresql"

as_postgres() {
    if [ "$(id -u)" = 0 ]; then
        runuser -u postgres -- "$@"
    else
        "$@"
    fi
}

make_folder() { # path; the server's account owns it
    mkdir -p "$1"
    [ "$(id -u)" != 0 ] || chown postgres "$1"
}

# Makes a cluster in $folder/NAME, with a Unix socket there. Every account of this machine that can enter the folder can
# connect as any role.
make_cluster() { # name, lines for postgresql.conf...
    local name=$1
    shift
    make_folder "$folder/$name"
    as_postgres "$pg/initdb" -D "$folder/$name/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 \
        --data-checksums >"$folder/$name.initdb.log" 2>&1 || die "initdb: $(tail -n 3 "$folder/$name.initdb.log")"
    configure "$name" "$@"
    start_cluster "$name"
}

configure() { # name, lines...
    local name=$1 line
    shift
    {
        echo "listen_addresses = ''"
        echo "unix_socket_directories = '$folder/$name'"
        for line in "$@"; do echo "$line"; done
    } >>"$folder/$name/data/postgresql.conf"
}

start_cluster() { # name
    as_postgres "$pg/pg_ctl" start -s -w -t 120 -D "$folder/$1/data" -l "$folder/$1/log" ||
        die "PostgreSQL does not start: $(tail -n 5 "$folder/$1/log")"
    clusters+=("$folder/$1")
}

stop_cluster() { # name, mode
    as_postgres "$pg/pg_ctl" stop -s -w -t 120 -m "${2:-fast}" -D "$folder/$1/data"
}

address() { # name of the cluster, role, database
    echo "postgresql:///${3:-tributary}?host=$folder/$1&user=${2:-postgres}"
}

sql() { # name of the cluster, statement
    "$pg/psql" -X -q -A -t -v ON_ERROR_STOP=1 "$(address "$1" postgres "${3:-tributary}")" -c "$2"
}

# Starts a daemon on a free port. Sets $base_NAME to its address and $process_NAME to its process. Its log is
# $folder/NAME.log.
start_daemon() { # name, folder of the programs, environment...
    local name=$1 programs=$2 line="" process
    shift 2
    : >"$folder/$name.log"
    env TRIBUTARY_PORT="${port:-0}" TRIBUTARY_HOME="$folder/$name.home" "$@" "$programs/tributaryd" 2>"$folder/$name.log" >&2 &
    process=$!
    children+=("$process")
    for _ in $(seq 1200); do
        line=$(sed -n 's/.*address=\([0-9.:]*\).*/\1/p' "$folder/$name.log" | head -n 1)
        [ -z "$line" ] || break
        kill -0 "$process" 2>/dev/null || break
        sleep 0.05
    done
    [ -n "$line" ] || {
        cat "$folder/$name.log"
        die "the daemon $name did not start"
    }
    printf -v "base_$name" '%s' "http://$line"
    printf -v "process_$name" '%s' "$process"
}

stop_daemon() { # name
    local variable=process_$1 process
    process=${!variable}
    kill -TERM "$process"
    wait "$process" || die "the daemon $1 ended with $?: $(tail -n 3 "$folder/$1.log")"
}

make_app() { # address of the owner; sets write_key and read_key
    local answer
    answer=$("$bin/tributary" app create --id checked --name Checked --format json --database "$1")
    write_key=$(printf '%s' "$answer" | sed -n 's/.*"write_key": *"\([^"]*\)".*/\1/p')
    read_key=$(printf '%s' "$answer" | sed -n 's/.*"read_key": *"\([^"]*\)".*/\1/p')
    [ -n "$write_key" ] && [ -n "$read_key" ] || die "no keys: $answer"
}

fetch() { # url
    python3 -c 'import sys, urllib.request; sys.stdout.write(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())' "$1"
}

# Waits until the spool of a daemon is empty.
await_delivery() { # address of the daemon
    local waiting
    for _ in $(seq 240); do
        waiting=$(fetch "$1/metrics" | sed -n 's/^tributary_spool_events \([0-9]*\).*/\1/p')
        [ "$waiting" != 0 ] || return 0
        sleep 0.25
    done
    die "$waiting events are still in the spool"
}

# Sends events until SIGTERM, and writes the ids of the answered events into $folder/NAME.ids.
start_sender() { # name, addresses of daemons, separated by commas
    : >"$folder/$1.ids"
    python3 "$here/sender.py" --bases "$2" --key "$write_key" --seed "${SEED:-1} $1" --ledger "$folder/$1.ids" \
        >"$folder/$1.json" &
    printf -v "process_$1" '%s' "$!"
    children+=("$!")
}

# Waits until a sender has received answers for this many more events.
await_answers() { # name, events
    local before now
    before=$(wc -l <"$folder/$1.ids")
    for _ in $(seq 600); do
        now=$(wc -l <"$folder/$1.ids")
        [ "$((now - before))" -lt "$2" ] || return 0
        sleep 0.05
    done
    die "only $((now - before)) events were answered in 30 s"
}

stop_sender() { # name
    local variable=process_$1
    kill -TERM "${!variable}"
    wait "${!variable}" || die "the sender failed: $(cat "$folder/$1.json")"
    say "  sent: $(cat "$folder/$1.json")"
}

# Checks that every answered event is stored, and stored once.
verify_ledger() { # name of the cluster, name of the sender
    local found
    found=$("$pg/psql" -X -q -A -t -v ON_ERROR_STOP=1 "$(address "$1")" <<SQL
create temporary table answered (event_id uuid);
\\copy answered from '$folder/$2.ids'
select count(*) filter (where stored = 0) || ' lost, ' || count(*) filter (where stored > 1) || ' doubled, '
    || count(*) || ' answered'
from (
    select answered.event_id, count(event.event_id) as stored
    from (select distinct event_id from answered) as answered
    left join event using (event_id)
    group by 1
) as counted;
SQL
    )
    say "  stored: $found"
    case "$found" in
    "0 lost, 0 doubled, 0 answered") die "nothing was answered" ;;
    "0 lost, 0 doubled, "*) ;;
    *) die "$found" ;;
    esac
}

# Writes all reports of an app over a fixed range into a folder.
write_reports() { # address, app, folder
    local report
    mkdir -p "$3"
    for report in channels refs funnel installs posts retention paths; do
        "$bin/tributary" report "$report" --app "$2" --from 2020-01-01T00:00:00Z --to 2035-01-01T00:00:00Z --format csv \
            --database "$1" >"$3/$report.csv"
    done
    "$bin/tributary" report attribution --app "$2" --from 2020-01-01T00:00:00Z --to 2035-01-01T00:00:00Z --event conversion --model all \
        --format csv --database "$1" >"$3/attribution.csv"
}
