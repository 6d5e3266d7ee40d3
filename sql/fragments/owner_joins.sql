-- The links that tell whose :event an event is, for `event_person`. An event that needs no link joins none, because
-- nothing equals null.
left join device_link as device
    on device.app_number = current_setting('tributary.app_number')::integer
    and device.device_id = case when :event.user_id is null then :event.device_id end
left join click_link as click
    on click.app_number = current_setting('tributary.app_number')::integer
    and click.click_id = case when :event.user_id is null and :event.device_id is null then :event.click_id end
left join device_link as click_device
    on click_device.app_number = current_setting('tributary.app_number')::integer
    and click_device.device_id = case when click.user_id is null then click.device_id end
