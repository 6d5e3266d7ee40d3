-- What an event is: the first columns that `TimelineRowReader` reads.
resolved.type,
resolved.occurred_at,
resolved.event_id,
resolved.platform,
resolved.channel,
resolved.authenticated,
resolved.deferred,
resolved.clicked_at,
-- The target, if the link itself says when it was tapped, not the sender (`StatedFields.clickedAt`): an app may
-- tell of one tap at each launch.
case
    when resolved.clicked_at is not null
        and (resolved.deferred or resolved.type = 'install')
        and coalesce(resolved.stated, 0) & 128 = 0
        then coalesce(resolved.target_url, '')
end as tapped_target,
