-- The keys of a piece of events (:condition) of the app :here for the other database, where it is :there. All that are
-- here, however new the other database is: a retry may say another time.
--
-- `+ 0`: the statistics may not know the app. With one row expected of each table, the planner would compare all of its
-- keys with all of its events. Citus has to be told the app of each table; with `offset 0`, each key is looked up.
select
    :there::integer,
    event.event_id,
    known.received_at
from event
join event_key as known
--citus cross join lateral (
    on known.app_number = event.app_number + 0 and known.event_id = event.event_id
    --citus select * from event_key where app_number = :here and event_id = event.event_id offset 0) as known
where :condition
