-- The segments of the app $1 in the generation $2, with the number of events that each has in all its buckets.
select month::text, is_lasting, segment, sum(events)::bigint
from timeline_segment
where app_number = $1 and generation = $2
group by month, is_lasting, segment
order by month, is_lasting, segment
