-- Deletes the links of devices ($2) of an app ($1). They are locked in sort order, as the writer locks them.
with doomed as (
    select device_id
    from device_link
    where app_number = $1
        and device_id = any ($2::text[])
    order by device_id
    for update
)
delete from device_link
using doomed
where device_link.app_number = $1
    and device_link.device_id = doomed.device_id
