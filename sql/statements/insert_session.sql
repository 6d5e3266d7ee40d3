-- Begins a session ($1 its hash) with a read key ($2 its hash), if the key is valid.
insert into dashboard_session (session_hash, key_hash)
select $1, key_hash
from api_key
where key_hash = $2
    and scope = 'read'
    and revoked_at is null
    and (expires_at is null or expires_at > now())
