-- The roles of the user :user in apps that are not being deleted and have not moved, by the apps' ids. Those that were
-- not accepted count only :pending.
cross join lateral (
    select
        coalesce(array_agg(app_id order by app_id), '{}') as app_ids,
        coalesce(array_agg(name order by app_id), '{}') as app_names,
        coalesce(array_agg(role order by app_id), '{}') as roles
    from dashboard_role
    join app using (app_number)
    where dashboard_role.user_number = :user
        and (accepted_at is not null or :pending)
        and app_number <> all (array(select app_number from deleted_app))
        and app_number <> all (array(select app_number from app_departure where moved_at is not null))
) as shown
