-- The packed properties of one app's events (`SegmentColumn.properties`), all buckets and months.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number, tributary.generation
select bucket, properties
from timeline_segment
where app_number = current_setting('tributary.app_number')::integer
    and generation = current_setting('tributary.generation')::integer
