#!/usr/bin/env bash
# The part of package.sh that runs inside the small Debian, as root, with systemd.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8

say() { printf '  %s\n' "$*"; }
die() {
    say "FAILED: $*"
    journalctl --no-pager -u tributaryd -n 30 || true
    exit 1
}

status_of() { curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:8080$1"; }
await() { # status, path
    for _ in $(seq 200); do
        [ "$(status_of "$2")" = "$1" ] && return 0
        sleep 0.1
    done
    die "$2 answers $(status_of "$2"), expected $1"
}
send() { # expected status
    local answer
    answer=$(curl -s -w ' %{http_code}' -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
        -d '{"type":"install","user_id":"u'"$RANDOM"'"}' http://127.0.0.1:8080/v1/events)
    [ "${answer##* }" = "$1" ] || die "an event was answered with $answer, expected $1"
}
unit_is() { # property, value
    local value
    value=$(systemctl show -p "$1" --value tributaryd)
    [ "$value" = "$2" ] || die "the unit's $1 is $value, expected $2"
}
tributary_as_service() { runuser -u tributary -- tributary "$@" --config /etc/tributary/tributary.yaml; }


# ── Installation: the service runs even without a database.
apt-get install -y -q --no-install-recommends /check/before.deb >/tmp/install.log 2>&1 || { cat /tmp/install.log; die "install"; }
[ "$(dpkg-query -W -f '${Status} ${Version}' tributary)" = "install ok installed 0.0.1" ] || die "$(dpkg-query -W tributary)"
getent passwd tributary | grep -q ':/usr/sbin/nologin$' || die "the account tributary does not exist"
systemctl is-enabled --quiet tributaryd || die "the service is not enabled"
await 200 /healthz
systemctl is-active --quiet tributaryd || die "the service does not run"
[ "$(stat -c '%U:%G %a' /etc/tributary/tributary.yaml)" = "root:tributary 640" ] || die "$(stat -c '%U:%G %a' /etc/tributary/tributary.yaml)"
[ "$(stat -c '%U:%G %a' /etc/tributary/tributary.env)" = "root:tributary 640" ] || die "the mode of tributary.env"
[ "$(stat -c '%U:%G %a' /var/lib/tributary)" = "tributary:tributary 711" ] || die "$(stat -c '%U:%G %a' /var/lib/tributary)"
[ "$(stat -c '%a' /var/lib/tributary/spool)" = 700 ] || die "other accounts can read the spool"
say "installed: the service runs and waits for its database"

# ── The unit.
systemd-analyze verify --man=yes /lib/systemd/system/tributaryd.service 2>&1 | grep -v 'man tributaryd' >/tmp/verify || true
[ ! -s /tmp/verify ] || { cat /tmp/verify; die "systemd-analyze verify"; }
# The running service, not only its file.
systemd-analyze security --threshold=30 --no-pager tributaryd >/tmp/security || { cat /tmp/security; die "systemd-analyze security"; }
say "$(grep 'Overall exposure' /tmp/security | sed 's/→ //')"
unit_is LimitNOFILE 65536
pid=$(systemctl show -p MainPID --value tributaryd)
[ "$(awk '/^NoNewPrivs/ {print $2}' "/proc/$pid/status")" = 1 ] || die "the daemon may gain privileges"
[ "$(awk '/^CapBnd/ {print $2}' "/proc/$pid/status")" = 0000000000000000 ] || die "the daemon has capabilities"
[ "$(awk '/^Seccomp:/ {print $2}' "/proc/$pid/status")" = 2 ] || die "the daemon's system calls are not filtered"

# ── The database of the default settings: on this machine, with the account's name as the role.
version=$(ls /usr/lib/postgresql)
pg_createcluster "$version" main >/dev/null 2>&1 || die "the cluster could not be created"
# With its unit, so that the same unit stops it later.
systemctl start "postgresql@$version-main" || die "the cluster does not start"
[ "$(status_of /readyz)" = 503 ] || die "/readyz answers $(status_of /readyz) without a database, expected 503"
runuser -u postgres -- createuser tributary
runuser -u postgres -- createdb --owner tributary tributary
await 200 /readyz
key=$(tributary_as_service app create --id shop --name Shop | sed -n 's/^write_key: //p')
[ -n "$key" ] || die "app create printed no key"
send 200
tributary_as_service report channels --app shop --format csv | grep -q '^total,' || die "the report has no total"
tributary_as_service doctor >/tmp/doctor || { cat /tmp/doctor; die "doctor"; }
say "events are stored, reports are made"

# ── Without the database, events go to the spool and survive an upgrade. The administrator's changes stay.
systemctl stop "postgresql@$version-main"
send 202
send 202
sed -i 's/^  days: 400/  days: 500/' /etc/tributary/tributary.yaml
before=$(systemctl show -p MainPID --value tributaryd)
apt-get install -y -q --no-install-recommends /check/now.deb >/tmp/upgrade.log 2>&1 || { cat /tmp/upgrade.log; die "upgrade"; }
await 200 /healthz
[ "$(systemctl show -p MainPID --value tributaryd)" != "$before" ] || die "the upgrade did not restart the service"
grep -q 'days: 500' /etc/tributary/tributary.yaml || die "the upgrade overwrote the administrator's settings"
! grep -q 'version before' /etc/tributary/tributary.env || die "the upgrade did not replace a file that nobody had changed"
[ "$(stat -c '%U:%G %a' /etc/tributary/tributary.env)" = "root:tributary 640" ] || die "the upgrade changed a mode"
send 202
systemctl start "postgresql@$version-main"
for _ in $(seq 100); do
    curl -s http://127.0.0.1:8080/metrics | grep -q '^tributary_spool_events 0$' && break
    sleep 0.1
done
stored=$(runuser -u postgres -- psql -X -A -t tributary -c 'select count(*) from event')
[ "$stored" = 4 ] || die "$stored events are stored, expected 4"
say "upgraded: settings kept, 3 events delivered from the spool"

# ── The address as a credential, which overrides the settings.
install -D -m 644 /check/credential.conf /etc/systemd/system/tributaryd.service.d/credential.conf
sed -i 's#^  url: .*#  url: postgresql:///nowhere?host=/nowhere#' /etc/tributary/tributary.yaml
printf 'postgresql:///tributary?host=/var/run/postgresql\n' | install -m 600 /dev/stdin /etc/tributary/database-url
systemctl daemon-reload
systemctl restart tributaryd
await 200 /readyz
send 200
rm -r /etc/systemd/system/tributaryd.service.d /etc/tributary/database-url
sed -i 's#^  url: .*#  url: postgresql:///tributary?host=/var/run/postgresql#' /etc/tributary/tributary.yaml
systemctl daemon-reload
say "credential: the database's address comes from systemd"

# ── After a kill systemd restarts the service. With wrong settings it does not.
systemctl restart tributaryd
await 200 /readyz
kill -KILL "$(systemctl show -p MainPID --value tributaryd)"
sleep 1
await 200 /readyz
printf 'TRIBUTARY_PORT=none\n' >>/etc/tributary/tributary.env
systemctl restart tributaryd || true
for _ in $(seq 100); do
    [ "$(systemctl show -p ActiveState --value tributaryd)" = failed ] && break
    sleep 0.1
done
unit_is ExecMainStatus 64
unit_is ActiveState failed
sed -i '/TRIBUTARY_PORT/d' /etc/tributary/tributary.env
systemctl restart tributaryd
await 200 /readyz
systemctl stop tributaryd
unit_is Result success
unit_is ExecMainStatus 0
systemctl start tributaryd
await 200 /readyz
say "restarted after a kill, left alone with wrong settings, stopped with 0"

# ── Manual pages and completions.
for page in man1/tributary.1.gz man1/tributary-report.1.gz man8/tributaryd.8.gz; do
    [ -s "/usr/share/man/$page" ] || die "no manual page $page"
done
bash -c 'source /usr/share/bash-completion/completions/tributary && complete -p tributary' >/dev/null || die "bash has no completion of tributary"
[ "$(dpkg-query -W -f '${Version}' tributary)" = "$(tributary --version)" ] || die "the package and the program have different versions"

# ── Removal leaves the settings and the spool. Purge leaves nothing.
systemctl stop "postgresql@$version-main"
send 202
dpkg -r tributary >/tmp/remove.log 2>&1 || { cat /tmp/remove.log; die "remove"; }
! systemctl is-active --quiet tributaryd || die "the service still runs"
! grep -qx tributaryd /proc/[0-9]*/comm 2>/dev/null || die "a process still runs"
[ -e /etc/tributary/tributary.yaml ] || die "the removal deleted the settings"
[ -n "$(ls /var/lib/tributary/spool)" ] || die "the removal deleted the spool"
apt-get install -y -q --no-install-recommends /check/now.deb >/tmp/again.log 2>&1 || { cat /tmp/again.log; die "install again"; }
systemctl start "postgresql@$version-main"
await 200 /readyz
for _ in $(seq 100); do
    stored=$(runuser -u postgres -- psql -X -A -t tributary -c 'select count(*) from event')
    [ "$stored" = 6 ] && break
    sleep 0.1
done
[ "$stored" = 6 ] || die "$stored events are stored, expected 6"
dpkg -P tributary >/tmp/purge.log 2>&1 || { cat /tmp/purge.log; die "purge"; }
! grep -qi 'warning' /tmp/purge.log || { cat /tmp/purge.log; die "purge warns"; }
left=$(find / -xdev \( -path /proc -o -path /sys -o -path /check -o -path /var/log -o -path /var/lib/postgresql -o -path /run \) -prune \
    -o -iname '*tributary*' -print)
[ -z "$left" ] || die "the purge left: $left"
say "removed and purged: only the account and the database are left"
