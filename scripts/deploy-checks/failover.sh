#!/usr/bin/env bash
# Tries a failover while events come in. A primary has a synchronous standby; the primary is killed, and the standby is
# promoted. The daemon's address names both (target_session_attrs=read-write). No answered event may be lost or doubled.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make_cluster first "wal_level = replica" "shared_buffers = 32MB" "synchronous_commit = on"
"$pg/createdb" -h "$folder/first" -U postgres tributary
make_folder "$folder/second"
as_postgres "$pg/pg_basebackup" -h "$folder/first" -U postgres -D "$folder/second/data" --checkpoint=fast --wal-method=stream \
    --write-recovery-conf --create-slot --slot=second || die "pg_basebackup"
# The last line for a setting wins. The promoted server must not wait for a standby that does not exist.
configure second "primary_conninfo = 'host=$folder/first user=postgres application_name=second'" \
    "synchronous_standby_names = ''" "checkpoint_timeout = 1h" "checkpoint_completion_target = 1"
# The line that pg_basebackup wrote into postgresql.auto.conf would override it.
as_postgres sed -i '/^primary_conninfo/d' "$folder/second/data/postgresql.auto.conf"
start_cluster second
configure first "synchronous_standby_names = 'second'"
sql first 'select pg_reload_conf()' >/dev/null
for _ in $(seq 300); do
    [ "$(sql first "select count(*) from pg_stat_replication where sync_state = 'sync'")" = 0 ] || break
    sleep 0.1
done
[ "$(sql first "select count(*) from pg_stat_replication where sync_state = 'sync'")" = 1 ] || die "no synchronous standby"

both="postgresql:///tributary?host=$folder/first,$folder/second&user=postgres&target_session_attrs=read-write&connect_timeout=3"
make_app "$both"
start_daemon daemon "$bin" TRIBUTARY_DATABASE_URL="$both"
# shellcheck disable=SC2154
start_sender events "$base_daemon"
await_answers events 400

stop_cluster first immediate
await_answers events 400
fetch "$base_daemon/readyz" >"$folder/readyz"
grep -q '"database":"away"' "$folder/readyz" || die "the daemon did not notice that the primary is gone: $(cat "$folder/readyz")"
say "  without a primary: $(cat "$folder/readyz")"

began=$(date +%s%N)
sql second 'select pg_promote(true, 60)' >/dev/null
await_delivery "$base_daemon"
say "  promoted and delivered within $((($(date +%s%N) - began) / 1000000)) ms"
await_answers events 400
# Transactions of the old and the new primary have different numbers from the promotion on, not only from the first
# checkpoint on. The settings above delay that checkpoint.
[ "$(sql second 'select timeline_id from pg_control_checkpoint()')" = 1 ] || say "  the first checkpoint was quicker than this check"
[ "$(sql second 'select count(*) from transaction_generation')" = 2 ] || die "the new history has no generation of transaction numbers of its own"
lowest=$(sql second 'select min(transaction_number) from event where transaction_number >= 2::bigint << 44')
horizon=$(sql second 'select transaction_horizon()')
sql second checkpoint
[ "$(sql second 'select transaction_horizon()')" -ge "$horizon" ] || die "the transaction horizon went back"
[ -n "$lowest" ] || die "no event has a transaction number of the new history"
await_answers events 100
stop_sender events
await_delivery "$base_daemon"
verify_ledger second events
stop_daemon daemon
[ "$(sql second 'select count(*) from transaction_generation')" = 2 ] || die "the new history has no generation of transaction numbers of its own"
say "failover: the standby took over, and no answered event is lost or doubled"
