-- The packed timelines of one app, bucket by bucket.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number, tributary.generation
--   tributary.first_month, tributary.last_month      all segments of these months; of others, those that span months
--   tributary.first_bucket, tributary.last_bucket
-- :segment_columns are the columns (`SegmentColumn`).
select
    bucket,
    extract(epoch from month::timestamp)::bigint * 1000000 as month,
    :segment_columns
from timeline_segment
where app_number = current_setting('tributary.app_number')::integer
    and generation = current_setting('tributary.generation')::integer
    and bucket between current_setting('tributary.first_bucket')::smallint
        and current_setting('tributary.last_bucket')::smallint
    and (
        is_lasting
        or month between current_setting('tributary.first_month')::date and current_setting('tributary.last_month')::date
    )
order by timeline_segment.bucket, timeline_segment.month, is_lasting, segment
