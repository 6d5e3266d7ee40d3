-- The links of an app's ($1) clicks: of all clicks of users ($2) and devices ($3), and of some more clicks ($4).
select click_id, user_id, device_id, precedence, occurred_at, event_id
from click_link
where app_number = $1
    and (
        user_id = any ($2::text[])
        or (user_id is null and device_id = any ($3::text[]))
        or click_id = any ($4::text[])
    )
