-- Records that every event up to a look is in the figures or marked as missing there. $1 app_number, $2 definition,
-- $3 time zone, $4 currency, $5 horizon, $6 generation, $7 snapshot, $8 look.
insert into figures_state (app_number, definition, time_zone, currency, horizon, generation, snapshot, looked_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (app_number) do update
    set definition = excluded.definition,
        time_zone = excluded.time_zone,
        currency = excluded.currency,
        horizon = excluded.horizon,
        generation = excluded.generation,
        snapshot = excluded.snapshot,
        looked_at = excluded.looked_at,
        is_invalid = false
