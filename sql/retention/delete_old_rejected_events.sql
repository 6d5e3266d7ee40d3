-- Deletes dead letters that were received before $1, of an app ($2; null: any), at most $3.
delete from rejected_event
where ($2::integer is null or app_number = $2)
    and rejection_id = any (array(
        select rejection_id
        from rejected_event
        where received_at < $1
            and ($2::integer is null or app_number = $2)
        order by received_at, rejection_id
        limit $3
    ))
