-- Deletes segments of the app $1 and the generation $2: of the month $3, spanning months or not ($4), with the numbers
-- $5, in the buckets from $6 to $7.
delete from timeline_segment
where app_number = $1
    and generation = $2
    and month = $3::text::date
    and is_lasting = $4
    and segment = any ($5::integer[])
    and bucket between $6 and $7
