-- Takes the marks away from periods whose figures have been made again, save from those that became stale meanwhile.
-- $1 app_number, $2 marks.
delete from stale_figures
where app_number = $1
    and mark = any ($2::text[]::uuid[])
