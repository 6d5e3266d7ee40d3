-- Sets the key for the campaign data of Meta in install referrers of an app ($1) to $2. Null: it has none.
update app
set meta_referrer_key = $2
where app_id = $1
