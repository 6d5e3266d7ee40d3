-- The app's id and the question of a shared page ($1 the secret's hash) that is still shared.
select app_id, question.name
from shared_page
join question using (question_number)
join app on app.app_number = shared_page.app_number
where secret_hash = $1
    and revoked_at is null
    and expires_at > now()
    and question.deleted_at is null
    and app.app_number <> all (array(select app_number from deleted_app))
    and app.app_number <> all (array(select app_number from app_departure where moved_at is not null))
