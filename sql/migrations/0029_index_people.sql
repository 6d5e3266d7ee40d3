-- What one person did is found without reading the events of all others: for answers about one person
-- (docs/attributions.md), at every size of an app. Events without a user are found already
-- (`event_anonymous_by_device`, `event_anonymous_by_click`).

-- For: the events of a user (sql/timelines/person.sql).
create index event_by_user on event (app_number, user_id)
    where user_id is not null;

-- For: the devices and clicks of a user (sql/people/select_person_devices.sql, select_person_clicks.sql).
create index device_link_by_user on device_link (app_number, user_id);
create index click_link_by_user on click_link (app_number, user_id)
    where user_id is not null;
