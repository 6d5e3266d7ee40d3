-- All apps, sorted by id. With $1, also apps whose deletion has begun. With $2, only the app of this id. With $3, also
-- apps that have moved to another database.
select
    app_number, app_id, name, namespace, url_scheme_suffixes, login, time_zone, currency, to_jsonb(app) as settings,
    array(select host from link_host where link_host.app_number = app.app_number order by position) as link_hosts,
    array(
        select kind || ' ' || value_limit || ' ' || app_property.name
        from app_property
        where app_property.app_number = app.app_number
        order by app_property.name
    ) as properties,
    has_meta_referrer_key
from app
where ($1 or app_number <> all (array(select app_number from deleted_app)))
    and ($2::text is null or app_id = $2)
    and ($3 or app_number <> all (array(select app_number from app_departure where moved_at is not null)))
order by app_id
