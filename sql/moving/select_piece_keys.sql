-- The keys of a piece of events (:condition) for the other database, where the app is :app. All that are here, however
-- new the other database is: a retry may say another time.
--
-- `+ 0`: the statistics may not know the app. With one row expected of each table, the planner would compare all of its
-- keys with all of its events.
select
    :app::integer,
    event.event_id,
    event_key.received_at
from event
join event_key
    on event_key.app_number = event.app_number + 0
    and event_key.event_id = event.event_id
where :condition
