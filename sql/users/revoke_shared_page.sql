-- Revokes a shared page ($2 its number) of an app ($1). Returns it, if it was not revoked before.
update shared_page
set revoked_at = now()
where app_number = $1
    and page_number = $2
    and revoked_at is null
returning
    page_number,
    (select question.name from question where question.question_number = shared_page.question_number),
    created_at,
    expires_at,
    revoked_at,
    created_by
