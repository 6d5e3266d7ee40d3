# shellcheck shell=bash
# Shared by scripts/make-release and scripts/make-kits: the version, and archives that depend on nothing but the commit.
# Source it in the repository's root.
# shellcheck disable=SC2034 # The scripts use it.
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' Sources/Settings/TributaryVersion.swift)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

archive() { # folder, name in it, target
    # One mode for files that may be run and one for the others, whatever the umask of the clone was.
    tar --create --directory="$1" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --mtime="@$SOURCE_DATE_EPOCH" "$2" | gzip -9n >"$3"
}
