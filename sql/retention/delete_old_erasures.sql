-- Deletes the hashes of keys that were erased before $1, of an app ($2; null: any).
delete from erasure
where erased_at < $1
    and ($2::integer is null or app_number = $2)
