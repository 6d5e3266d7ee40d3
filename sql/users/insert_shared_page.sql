-- Shares a question or a board. $1 app number, $2 its name, $3 the secret's hash, $4 days, $5 who shares it, $6 how
-- many pages an app may have, $7 who shares the pages of schedules, which are counted apart.
insert into shared_page (app_number, question_number, secret_hash, expires_at, created_by)
select app_number, question_number, $3::bytea, now() + make_interval(days => $4::integer), $5::text
from question
where app_number = $1
    and name = $2
    and deleted_at is null
    and (
        select count(*)
        from shared_page
        where app_number = $1
            and (created_by = $7::text) = ($5::text = $7::text)
    ) < $6
returning page_number, $2::text, created_at, expires_at, revoked_at, created_by
