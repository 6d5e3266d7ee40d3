-- Deletes entries of the log of changes that are older than $1, of the app $2 (null: all).
delete from change_log
where changed_at < $1::timestamptz
    and ($2::integer is null or app_number = $2)
