-- How far an import has come. $1 app number, $2 source.
select byte_offset, line_number, fingerprint, rejected, is_finished
from import_progress
where app_number = $1
    and source_id = $2
