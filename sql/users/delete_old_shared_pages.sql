-- Deletes the pages of an app ($1) that have not been shared for $2 seconds.
delete from shared_page
where app_number = $1
    and least(expires_at, revoked_at) <= now() - make_interval(secs => $2::bigint)
