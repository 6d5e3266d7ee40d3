#!/usr/bin/env bash
# Tries the container's health check with a real daemon: it exits with 0 only while the daemon serves.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make_cluster server "shared_buffers = 16MB"
"$pg/createdb" -h "$folder/server" -U postgres tributary
start_daemon daemon "$bin" TRIBUTARY_DATABASE_URL="$(address server)"
# shellcheck disable=SC2154
TRIBUTARY_PORT=${base_daemon##*:}
export TRIBUTARY_PORT
check=$root/deploy/docker/healthcheck
"$check" || die "it fails although the daemon is healthy"
# The daemon listens before it has migrated the database.
for _ in $(seq 300); do
    if "$check" /readyz; then break; fi
    sleep 0.1
done
"$check" /readyz || die "it fails although the daemon is ready"
! "$check" /nothing || die "it succeeds on a 404"
stop_daemon daemon
! "$check" 2>/dev/null || die "it succeeds although the daemon is stopped"
say "healthcheck: succeeds while the daemon serves, and fails otherwise"
