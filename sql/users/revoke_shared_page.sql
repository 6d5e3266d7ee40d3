-- Revokes a shared page ($2 its number) of an app ($1).
update shared_page
set revoked_at = now()
where app_number = $1
    and page_number = $2
    and revoked_at is null
