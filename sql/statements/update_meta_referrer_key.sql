-- Says whether an app ($1) has a key for the campaign data of Meta in install referrers ($2).
update app
set has_meta_referrer_key = $2
where app_id = $1
