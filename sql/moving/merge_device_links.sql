-- Puts links that were copied to `arriving` in the place of earlier ones.
insert into device_link
select *
from arriving
on conflict (app_number, device_id) do update
    set user_id = excluded.user_id,
        occurred_at = excluded.occurred_at,
        event_id = excluded.event_id,
        transaction_number = excluded.transaction_number
