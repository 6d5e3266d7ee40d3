-- Adds a note, unless the app has $4 notes. $1 app number, $2 day, $3 text.
insert into note (app_number, day, text)
select $1::integer, $2::date, $3::text
where (select count(*) from note where app_number = $1) < $4
returning note_number, day::text, text
