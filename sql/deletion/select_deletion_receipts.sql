-- The receipts of an app ($1; null: any), the newest first, at most $2.
select receipt_id, kind, app_id, started_at, finished_at, counts
from deletion_receipt
where ($1::text is null or app_id = $1)
order by finished_at desc, receipt_id
limit $2
