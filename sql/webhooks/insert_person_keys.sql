-- The devices and clicks of a person who has many. $1 the app, $2 the webhook, $3 the person, $4 the keys.
insert into webhook_person_key (app_number, key, webhook_id, person)
select $1, key, $2, $3
from unnest($4::text[]) as key
on conflict do nothing
