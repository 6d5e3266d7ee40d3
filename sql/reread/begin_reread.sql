-- Notes that the history of the app $1 is being read again by the version $2 of its rules.
insert into reread (app_number, rules_version, began_at, finished_at, last_transaction)
values ($1, $2, clock_timestamp(), null, current_transaction_number())
on conflict (app_number) do update
    set rules_version = excluded.rules_version,
        began_at = case when reread.finished_at is null then reread.began_at else excluded.began_at end,
        finished_at = null
