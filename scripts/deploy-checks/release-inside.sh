#!/usr/bin/env bash
# The part of check-release that uses the programs, as a user who is not root: the demo, a daemon, an event, reports.
#
#   release-inside.sh FOLDER      the folder of the programs
set -euo pipefail

bin=$1
say() { printf '  %s\n' "$*"; }
die() {
    say "FAILED: $*"
    exit 1
}
work=$(mktemp -d)
cd "$work"
daemon=""
finish() {
    status=$?
    trap - EXIT
    [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
    wait
    # The server of the private cluster stays for the next command.
    server=$(head -n 1 .tributary/postgres/data/postmaster.pid 2>/dev/null) && kill -QUIT "$server" || true
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT

! command -v swift >/dev/null || die "Swift is on the path"
if [ -d "$bin/../lib" ] && [ "$bin" != /usr/bin ]; then
    # What the loader takes from elsewhere is glibc.
    foreign=$(ldd "$bin/tributary" "$bin/tributaryd" | grep '=>' |
        grep -vE "=> $(realpath "$bin")/../lib/|/(libc|libm|libresolv|libpthread|libdl|librt)\.so" || true)
    [ -z "$foreign" ] || die "libraries from elsewhere: $foreign"
fi

"$bin/tributary" demo --people 500 >demo.log 2>&1 || die "demo: $(tail -n 5 demo.log)"
say "$(grep '^Answered' demo.log)"
[ "$(find demo-reports -name '*.csv' -size +0 | wc -l)" -gt 3 ] || die "the demo wrote $(ls demo-reports)"
"$bin/tributary" report funnel --app demo --by ref --format csv 2>report.log | grep -q '^total,' || die "the report has no total: $(cat report.log)"

key=$("$bin/tributary" app create --id shop --name Shop | sed -n 's/^write_key: //p')
"$bin/tributaryd" --port 0 >daemon.log 2>&1 &
daemon=$!
for _ in $(seq 300); do
    port=$(sed -n 's/.*address=[0-9.]*:\([0-9]*\).*/\1/p' daemon.log | head -n 1)
    [ -z "$port" ] || break
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
done
[ -n "$port" ] || die "the daemon did not start: $(tail -n 5 daemon.log)"
# A new machine has no curl.
event='{"type":"install","device_id":"phone-1","platform":"ios"}'
for _ in $(seq 100); do
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'POST /v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' \
        "$key" "${#event}" "$event" >&3
    answer=$(cat <&3)
    exec 3>&-
    case "$answer" in
    *'"stored":"database"'*) break ;;
    esac
    sleep 0.1
done
grep -q '"stored":"database"' <<<"$answer" || die "an event was answered with $answer"
"$bin/tributary" report installs --app shop --format csv >installs.csv 2>report.log || die "the report of installs: $(cat report.log)"
grep -q '^total,.*[1-9]' installs.csv || die "the report has no install: $(cat installs.csv)"
kill -TERM "$daemon"
wait "$daemon" || die "the daemon ended with $?"
daemon=""
say "demo, daemon, event and reports work"
