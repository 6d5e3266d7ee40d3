-- Gives users roles in an app ($1) that has come: $2 their addresses, $3 their passwords (empty: none was chosen yet),
-- $4 their roles. A user who is known here keeps their password.
with arrived as (
    select *
    from unnest($2::text[], $3::text[], $4::text[]) as arrived (email, password, role)
),
made as (
    insert into dashboard_user (email, password)
    select email, nullif(password, '')
    from arrived
    order by email
    on conflict (email) do nothing
    returning user_number, email
)
insert into dashboard_role (user_number, app_number, role)
select user_number, $1, role
from arrived
join (
    select user_number, email from made
    union all
    select user_number, email from dashboard_user
) as known using (email)
