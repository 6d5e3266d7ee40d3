-- Who a device and a click stand for (CONTRACT.md section 3): derived from events, the earliest wins, so that the result
-- is the same for every order of arrival.

create table device_link (
    app_number integer not null,
    device_id text collate "C" not null,
    user_id text collate "C" not null,
    -- The event that says so.
    occurred_at timestamptz not null,
    event_id uuid not null,
    constraint device_link_pkey primary key (app_number, device_id)
);

create table click_link (
    app_number integer not null,
    click_id text collate "C" not null,
    -- The user of the event that says so; where it names none, its device.
    user_id text collate "C",
    device_id text collate "C",
    occurred_at timestamptz not null,
    event_id uuid not null,
    constraint click_link_pkey primary key (app_number, click_id),
    constraint click_link_owner check (user_id is not null or device_id is not null)
);
