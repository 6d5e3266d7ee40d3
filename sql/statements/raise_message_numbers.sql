-- Receivers compare the numbers of messages, so numbers that were used elsewhere must not come again. The time in
-- milliseconds is above them.
update webhook
set next_number = greatest(next_number, (extract(epoch from now()) * 1000)::bigint)
