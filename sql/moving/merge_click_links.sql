-- Puts links that were copied to `arriving` in the place of earlier ones.
insert into click_link
select *
from arriving
on conflict (app_number, click_id) do update
    set user_id = excluded.user_id,
        device_id = excluded.device_id,
        precedence = excluded.precedence,
        occurred_at = excluded.occurred_at,
        event_id = excluded.event_id,
        transaction_number = excluded.transaction_number
