-- Notes that an app that arrives ($1) is taken back. No row: it has arrived.
update app_arrival
set undone_at = now()
where app_number = $1
    and arrived_at is null
