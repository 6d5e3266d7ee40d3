-- Deletes a note ($2) of an app ($1).
delete from note
where app_number = $1
    and note_number = $2
returning note_number, day::text, text
