#!/usr/bin/env bash
# Loads files that generate.py made (FOLDER/PART.csv.zst) into a migrated database with one app.
#
#   load.sh DATABASE_URL FOLDER PART…
#
# COPY writes directly into the tables, in one session for each part. The script then adds the links and the post keys
# that the writer would derive. It leaves out the event keys, because no report reads them. Nothing else may use the
# database: a daemon could take these events for packed ones and skip them.
set -euo pipefail
database=$1 folder=$2
shift 2
export PGOPTIONS="-c client_min_messages=warning -c work_mem=512MB"
sql() {
    psql -q -A -t -X -v ON_ERROR_STOP=1 "$@" "$database"
}
# All events get the number of one transaction, which itself stores no event.
number=$(sql -c "select current_transaction_number()")
sql <<SQL
select ensure_event_partition(month::date)
from generate_series('2026-01-01'::date, '2026-04-01', '1 month') month \g /dev/null
alter table event alter column transaction_number set default $number;
SQL
sessions=()
# Starts a session beside the others. `finished` waits for all of them.
session() {
    sql "$@" &
    sessions+=($!)
}
finished() {
    for session in "${sessions[@]}"; do wait "$session"; done
    sessions=()
}
for part in "$@"; do
    file=$folder/$part.csv.zst
    # head stops reading after one line, which zstd reports as an error.
    columns=$(set +o pipefail; zstd -dcqq "$file" | head -1)
    session -c "\copy event ($columns) from program 'zstd -dcq ''$file''' (format csv, header)"
done
finished
sql -c "alter table event alter column transaction_number drop default"
session -c "vacuum analyze event"
session -c "
insert into feed_post_key (app_number, post_id, event_id)
select app_number, post_id, event_id
from event
where transaction_number = $number and type = 'feed_post' and post_id is not null
order by post_id"
session -c "
insert into device_link (app_number, device_id, user_id, occurred_at, event_id, transaction_number)
select distinct on (device_id) app_number, device_id, user_id, occurred_at, event_id, $number
from event
where transaction_number = $number and user_id is not null and device_id is not null
order by device_id, occurred_at, event_id
on conflict do nothing"
session -c "
insert into click_link (app_number, click_id, user_id, device_id, precedence, occurred_at, event_id, transaction_number)
select distinct on (click_id)
    app_number, click_id, user_id, case when user_id is null then device_id end,
    (type <> 'install')::integer, occurred_at, event_id, $number
from event
where transaction_number = $number and click_id is not null and (user_id is not null or device_id is not null)
order by click_id, type <> 'install', occurred_at, event_id
on conflict do nothing"
finished
sql -c "vacuum analyze device_link, click_link"
