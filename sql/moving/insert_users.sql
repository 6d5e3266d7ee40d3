-- Gives users roles in an app ($1) that has come: $2 their addresses, $3 their passwords (empty: none was chosen yet),
-- $4 their roles, $5 when they accepted them (empty: not yet). A user who is known here keeps their password, and has to
-- accept the role: whoever chose that password was not asked by the app's managers.
with arrived as (
    select *
    from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as arrived (email, password, role, accepted_at)
),
made as (
    insert into dashboard_user (email, password)
    select email, nullif(password, '')
    from arrived
    order by email
    on conflict (email) do nothing
    returning user_number, email
)
insert into dashboard_role (user_number, app_number, role, accepted_at)
select user_number, $1, role, case when is_made then nullif(accepted_at, '')::timestamptz end
from arrived
join (
    select user_number, email, true as is_made from made
    union all
    select user_number, email, false from dashboard_user
) as known using (email)
