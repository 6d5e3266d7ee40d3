-- Each worker: its name and port, whether it answers, and its settings `wal_level` and `max_prepared_transactions` with
-- a blank between, or what is wrong.
select nodename, nodeport, success, result
from run_command_on_workers(
    $$ select current_setting('wal_level') || ' ' || current_setting('max_prepared_transactions') $$
)
order by nodename, nodeport
