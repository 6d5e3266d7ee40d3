-- All columns of the segments of one month and kind that are to be merged, bucket by bucket.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number, tributary.generation
--   tributary.month, tributary.is_lasting, tributary.segments
--   tributary.first_bucket, tributary.last_bucket
-- :segment_columns are the columns (`SegmentColumn`).
select
    bucket,
    extract(epoch from month::timestamp)::bigint * 1000000 as month,
    :segment_columns
from timeline_segment
where app_number = current_setting('tributary.app_number')::integer
    and generation = current_setting('tributary.generation')::integer
    and month = current_setting('tributary.month')::date
    and is_lasting = current_setting('tributary.is_lasting')::boolean
    and segment = any (current_setting('tributary.segments')::integer[])
    and bucket between current_setting('tributary.first_bucket')::smallint
        and current_setting('tributary.last_bucket')::smallint
order by bucket, segment
