-- Removes the deleted questions of an app ($1 its number) beyond the $2 that were deleted last.
delete from question
where app_number = $1
    and question_number in (
        select question_number
        from question
        where app_number = $1
            and deleted_at is not null
        order by deleted_at desc, question_number desc
        offset $2
    )
