-- Deletes pages that have not been shared since $1, of the app $2 (null: all).
delete from shared_page
where least(expires_at, revoked_at) < $1::timestamptz
    and ($2::integer is null or app_number = $2)
