-- Stores the receipt of a deletion: $1 kind, $2 app id (null: every app), $3 when it began, $4 counts as JSON.
insert into deletion_receipt (kind, app_id, started_at, counts)
values ($1, $2, $3, $4)
returning receipt_id, finished_at
