-- Sets the key for the campaign data of Meta in install referrers of an app ($1) to $2. Null: it has none.
insert into app_secret (app_number, meta_referrer_key)
select app_number, $2
from app
where app_id = $1
on conflict (app_number) do update
set meta_referrer_key = excluded.meta_referrer_key
