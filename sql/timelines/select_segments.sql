-- The segments of the app $1 in generation $2, and how many events each has in all its buckets.
select month::text, is_lasting, segment, sum(events)::bigint
from timeline_segment
where app_number = $1 and generation = $2
group by month, is_lasting, segment
order by month, is_lasting, segment
