-- Writes an entry of the log of changes. $1 app number (null: of every app), $2 who, $3 what, $4 of what, $5 from and $6
-- to (JSON objects; null: nothing).
insert into change_log (app_number, actor, kind, subject, before, after)
values ($1::integer, $2::text, $3::text, $4::text, $5::text, $6::text)
