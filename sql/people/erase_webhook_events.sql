-- What webhooks were told of a person who is deleted: of the person's own events, of events that were the person's when
-- they were last looked at, and of those that the person's posts brought, or had brought by a word that waits and is
-- deleted with the person. All of them are looked at and told again.
-- $1 the app, $2 the person's keys, $3 the ids of the person's events.
update webhook_event
set is_erased = is_erased or event_id = any ($3::text[]::uuid[]),
    told = case when told is not null then '' end,
    person = null,
    keys = '{}',
    mentioned = '{}',
    is_stale = true,
    -- A last word that waited is told again.
    is_settled = is_settled and not exists (
        select
        from webhook_delivery as word
        where word.app_number = $1
            and word.webhook_id = webhook_event.webhook_id
            and word.event_id = webhook_event.event_id
    )
where app_number = $1
    and (
        event_id = any ($3::text[]::uuid[])
        or exists (
            -- The planner makes a hash table of the keys, which `&&` does not: a person may have thousands.
            select
            from unnest(mentioned || keys) as name
            where name = any ($2::text[])
        )
        or (webhook_id, event_id) in (
            select word.webhook_id, word.event_id
            from webhook_delivery as word
            where word.app_number = $1
                and exists (select from unnest(word.mentioned) as name where name = any ($2::text[]))
        )
    )
