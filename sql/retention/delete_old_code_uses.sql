-- Removes what says who has used a code, from before $1, of an app ($2; null: any).
delete from click_code_use
where used_at < $1::timestamptz
    and ($2::integer is null or app_number = $2)
