-- What an event says: the columns that `TimelineRowReader` reads after its refs.
-- How a touch came to its refs, or would if its post had some (`RefOrigin`). 512: they are those of the short link
-- (`StatedFields.shortLinkRefs`).
case
    when not current_setting('tributary.needs_ref_origins')::boolean or resolved.channel is null then null
    when resolved.refs <> '{}' then case when coalesce(resolved.stated, 0) & 512 <> 0 then 'short_link' else 'link' end
    when resolved.post_id is not null then 'post'
    when resolved.story_key is not null then 'url'
end as ref_origin,
case
    when current_setting('tributary.needs_referers')::boolean then resolved.referer_app
end as referer_app,
case
    when current_setting('tributary.needs_targets')::boolean then resolved.target_url
end as target_url,
resolved.short_link is not null as has_short_link,
case
    when current_setting('tributary.needs_links')::boolean then resolved.short_link
end as short_link,
case
    when current_setting('tributary.needs_forms')::boolean then resolved.link_form
end as link_form,
case
    when current_setting('tributary.needs_forms')::boolean then resolved.paid
end as paid,
-- Clicks on short links have the id of their event.
case
    when (resolved.type <> 'link_click' or resolved.click_id <> resolved.event_id::text)
        and resolved.click_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then resolved.click_id::uuid
end as opened_click,
case
    when current_setting('tributary.needs_app_versions')::boolean then resolved.app_version
end as app_version,
case
    when current_setting('tributary.needs_countries')::boolean then resolved.country
end as country,
case
    when current_setting('tributary.needs_languages')::boolean then resolved.language
end as language,
case
    when current_setting('tributary.needs_properties')::boolean and resolved.properties is not null
        then declared_properties(
            resolved.properties,
            current_setting('tributary.person_properties')::text[]
            || case
                when resolved.channel is not null then current_setting('tributary.touch_properties')::text[]
            end
            || case
                when resolved.type = 'conversion' then current_setting('tributary.conversion_properties')::text[]
            end
        )
end as declared_properties,
resolved.outcome,
resolved.login_outcome,
resolved.composer,
case
    when current_setting('tributary.needs_goals')::boolean then resolved.goal
end as goal,
resolved.value,
resolved.currency,
resolved.sent_by = 'app' as is_from_app,
resolved.referrer_clicked_at > resolved.install_began_at as is_injected,
