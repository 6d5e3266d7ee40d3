-- A host among these ($1) that another app than this ($2) has, or has links on, and the id of that app.
select given.host, app.app_id
from unnest($1::text[]) as given (host)
cross join app
where app.app_number <> $2
    and (
        exists (
            select
            from link_host
            where link_host.host = given.host
                and link_host.app_number = app.app_number
        )
        or exists (
            select
            from link
            where link.app_number = app.app_number
                and link.host = given.host
        )
    )
limit 1
