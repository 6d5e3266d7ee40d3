-- The packed timelines of one app, bucket by bucket.
--
-- Runs inside COPY, which takes no $n, so its parameters are settings (`BoundStatement`):
--   tributary.app_number, tributary.generation
--   tributary.first_month, tributary.last_month      all segments of these months; of others, those that span months
--   tributary.first_bucket, tributary.last_bucket
--   tributary.columns         array of the needed columns; the others are null and are not read from disk
select
    bucket,
    extract(epoch from month::timestamp)::bigint * 1000000 as month,
    strands,
    case when 'ids' = any (current_setting('tributary.columns')::text[]) then ids end as ids,
    case when 'clicks' = any (current_setting('tributary.columns')::text[]) then clicks end as clicks,
    case when 'refs' = any (current_setting('tributary.columns')::text[]) then refs end as refs,
    case when 'stories' = any (current_setting('tributary.columns')::text[]) then stories end as stories,
    case when 'goals' = any (current_setting('tributary.columns')::text[]) then goals end as goals,
    case when 'amounts' = any (current_setting('tributary.columns')::text[]) then amounts end as amounts,
    case when 'referers' = any (current_setting('tributary.columns')::text[]) then referers end as referers,
    case when 'targets' = any (current_setting('tributary.columns')::text[]) then targets end as targets,
    case when 'links' = any (current_setting('tributary.columns')::text[]) then links end as links,
    case
        when 'opened_clicks' = any (current_setting('tributary.columns')::text[]) then opened_clicks
    end as opened_clicks
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
