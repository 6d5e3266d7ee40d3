#!/usr/bin/env bash
# Tries the Debian package in a small Debian of its own, with systemd as the first process (systemd-nspawn) and without
# a network. Installs, upgrades, removes and purges it; meanwhile the service takes events with and without its
# database. Needs root. The small Debian stays in .build/debian for the next time.
#
#   scripts/deploy-checks/package.sh [PACKAGE]      default: the newest in .build/deb
#
# Environment: LEND, a folder of this machine that the small Debian may read. A package of a debug build needs the
# folder of the Swift toolchain.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

package=${1:-$(find "$root/.build/deb" -name 'tributary_*.deb' -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -n 1 | cut -d ' ' -f 2-)}
[ -f "$package" ] || die "no package in .build/deb; run make deb"
for tool in debootstrap systemd-nspawn lintian; do
    command -v "$tool" >/dev/null || die "$tool is missing; install its package"
done
[ "$(id -u)" = 0 ] || die "this check needs root"

say "── lintian"
# Tags that matter only in Debian's own archive.
suppressed=bogus-mail-host,bogus-mail-host-in-debian-changelog
# A debug build loads Swift's runtime from the toolchain.
[ -z "${LEND:-}" ] || suppressed=$suppressed,custom-library-search-path
lintian --tag-display-limit 0 --fail-on error,warning --suppress-tags "$suppressed" "$package" || die "lintian"

say "── a small Debian"
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
base=$root/.build/debian/$suite
if [ ! -e "$base/.complete" ]; then
    rm -rf "$base"
    mkdir -p "$base"
    debootstrap --variant=minbase --include=adduser,curl,dbus,libpq5,libsimdjson14,libssl3,libstdc++6,systemd,systemd-sysv,tzdata,zlib1g \
        "$suite" "$base" >"$folder/debootstrap.log" 2>&1 || die "debootstrap: $(tail -n 3 "$folder/debootstrap.log")"
    # PostgreSQL without a cluster. The check creates one later.
    mkdir -p "$base/etc/postgresql-common"
    echo 'create_main_cluster = false' >"$base/etc/postgresql-common/createcluster.conf"
    printf '#!/bin/sh\nexit 101\n' >"$base/usr/sbin/policy-rc.d"
    chmod +x "$base/usr/sbin/policy-rc.d"
    # The package's scripts need /proc. The mount disappears with its name space.
    # shellcheck disable=SC2016
    unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$base" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends postgresql >"$folder/apt.log" 2>&1 || die "apt-get: $(tail -n 3 "$folder/apt.log")"
    rm "$base/usr/sbin/policy-rc.d"
    chroot "$base" apt-get clean
    touch "$base/.complete"
fi

machine=$folder/machine
mkdir -p "$machine" "$folder/upper" "$folder/work"
if mount -t overlay overlay -o "lowerdir=$base,upperdir=$folder/upper,workdir=$folder/work" "$machine" 2>/dev/null; then
    trap 'status=$?; umount "$machine"; (exit $status); finish' EXIT
else
    cp -a "$base/." "$machine"
fi

# A previous version: the same package with another version number and another text in its settings.
dpkg-deb -R "$package" "$folder/before"
sed -i 's/^Version: .*/Version: 0.0.1/' "$folder/before/DEBIAN/control"
echo '# A line of the version before.' >>"$folder/before/etc/tributary/tributary.env"
(cd "$folder/before" && find . -type f -not -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
mkdir -p "$machine/check"
dpkg-deb --root-owner-group -Zgzip --build "$folder/before" "$machine/check/before.deb" >/dev/null
cp "$package" "$machine/check/now.deb"
cp "$root/deploy/systemd/examples/credential.conf" "$here/package-inside.sh" "$machine/check"

cat >"$machine/etc/systemd/system/check.service" <<'UNIT'
[Unit]
Description=The check of the package
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c '/bin/bash /check/package-inside.sh >/check/log 2>&1; echo $? >/check/status'
ExecStopPost=/bin/systemctl --no-block poweroff
TimeoutStartSec=800
UNIT
mkdir -p "$machine/etc/systemd/system/multi-user.target.wants"
ln -sf ../check.service "$machine/etc/systemd/system/multi-user.target.wants/check.service"

say "── install, upgrade, remove, purge"
timeout 900 systemd-nspawn --quiet --register=no --keep-unit --private-network --boot --directory="$machine" \
    ${LEND:+"--bind-ro=$LEND"} \
    >"$folder/console.log" 2>&1 </dev/null || true
if [ ! -e "$machine/check/status" ]; then
    tail -n 20 "$folder/console.log"
    [ ! -e "$machine/check/log" ] || tail -n 20 "$machine/check/log"
    die "the small Debian did not finish"
fi
cat "$machine/check/log"
[ "$(cat "$machine/check/status")" = 0 ] || die "the checks inside the small Debian"
say "package: install, service, upgrade, removal and purge work"
