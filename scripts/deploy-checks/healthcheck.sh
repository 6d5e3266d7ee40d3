#!/usr/bin/env bash
# Tries the container's check of health against a real daemon: 0 while it serves, else not.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make_cluster server "shared_buffers = 16MB"
"$pg/createdb" -h "$folder/server" -U postgres tributary
start_daemon daemon "$bin" TRIBUTARY_DATABASE_URL="$(address server)"
# shellcheck disable=SC2154
TRIBUTARY_PORT=${base_daemon##*:}
export TRIBUTARY_PORT
check=$root/deploy/docker/healthcheck
"$check" || die "it does not find the daemon well"
"$check" /readyz || die "it does not find the daemon ready"
! "$check" /nothing || die "it takes a 404 for well"
stop_daemon daemon
! "$check" 2>/dev/null || die "it finds a stopped daemon well"
say "healthcheck: tells a daemon that serves from one that does not"
