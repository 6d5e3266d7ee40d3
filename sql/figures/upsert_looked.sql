-- Records a change scan: every event that was stored before it is in the figures, or its period is marked as stale.
-- $1 app_number, $2 definition, $3 time zone, $4 currency, $5 properties, $6 horizon, $7 generation, $8 snapshot,
-- $9 the scan's time.
insert into figures_state (
    app_number, definition, time_zone, currency, properties, horizon, generation, snapshot, looked_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (app_number) do update
    set definition = excluded.definition,
        time_zone = excluded.time_zone,
        currency = excluded.currency,
        properties = excluded.properties,
        horizon = excluded.horizon,
        generation = excluded.generation,
        snapshot = excluded.snapshot,
        looked_at = excluded.looked_at,
        is_invalid = false
