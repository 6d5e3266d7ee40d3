-- The keys for the campaign data of Meta in install referrers, of the apps that have one.
select app_id, meta_referrer_key
from app_secret
    join app using (app_number)
where meta_referrer_key is not null
