-- The keys for the campaign data of Meta in install referrers, of the apps that have one.
select app_number, app_id, meta_referrer_key
from app
where meta_referrer_key is not null
