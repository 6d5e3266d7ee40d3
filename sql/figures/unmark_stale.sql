-- Removes the marks of periods whose figures have been computed again. A period that became stale again meanwhile has
-- another mark and keeps it. $1 app_number, $2 marks.
delete from stale_figures
where app_number = $1
    and mark = any ($2::text[]::uuid[])
