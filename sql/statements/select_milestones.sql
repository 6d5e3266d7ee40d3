-- What the newest events of an app ($1 its number, $2 how many events) show (docs/dashboard.md): a click, an open,
-- an install, a conversion, and an event of a person that names a click.
with newest as materialized (
    select type, click_id, coalesce(user_id, device_id) as person
    from event
    where app_number = $1
    order by occurred_at desc
    limit $2
)
select
    exists (select from newest where type = 'link_click'),
    exists (select from newest where type in ('inbound_link', 'app_open')),
    exists (select from newest where type = 'install'),
    exists (select from newest where type = 'conversion'),
    exists (
        select
        from newest as told
        where told.person is not null
            and told.click_id in (select click.click_id from newest as click where click.type = 'link_click')
    )
