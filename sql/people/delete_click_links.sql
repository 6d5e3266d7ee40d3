-- Deletes the links of clicks ($2) of an app ($1). They are locked in sort order, as the writer locks them.
with doomed as (
    select click_id
    from click_link
    where app_number = $1
        and click_id = any ($2::text[])
    order by click_id
    for update
)
delete from click_link
using doomed
where click_link.app_number = $1
    and click_link.click_id = doomed.click_id
