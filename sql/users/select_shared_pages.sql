-- The shared pages of an app ($1), the newest first. Not those of deleted questions.
select page_number, question.name, shared_page.created_at, expires_at, revoked_at, created_by
from shared_page
join question using (question_number)
where shared_page.app_number = $1
    and question.deleted_at is null
order by page_number desc
