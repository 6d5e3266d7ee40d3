-- How many events of one app, that some transactions stored, have each combination of declared properties.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number
--   tributary.stored_from    the first transaction; 0 for all
--   tributary.person_properties, tributary.touch_properties, tributary.conversion_properties    arrays
select
    declared_properties(
        properties,
        current_setting('tributary.person_properties')::text[]
        || case when channel is not null then current_setting('tributary.touch_properties')::text[] end
        || case when type = 'conversion' then current_setting('tributary.conversion_properties')::text[] end
    ) as declared_properties,
    count(*)
from event
where transaction_number >= current_setting('tributary.stored_from')::bigint
    -- As in `delta.sql`.
    and app_number + 0 = current_setting('tributary.app_number')::integer
    --citus and app_number = current_setting('tributary.app_number')::integer
    and (
        current_setting('tributary.stored_from')::bigint > 0
        or app_number = current_setting('tributary.app_number')::integer
    )
    and test_traffic is not true
    and properties is not null
group by 1
