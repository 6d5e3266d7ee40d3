-- Records how far an import has come.
-- $1 app number, $2 source, $3 bytes and $4 lines that are done, $5 a fingerprint of the bytes, $6 how many of the
-- lines were rejected, $7 whether the import is finished.
insert into import_progress (
    app_number, source_id, byte_offset, line_number, fingerprint, rejected, is_finished
)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (app_number, source_id) do update
    set byte_offset = excluded.byte_offset,
        line_number = excluded.line_number,
        fingerprint = excluded.fingerprint,
        rejected = excluded.rejected,
        is_finished = excluded.is_finished,
        updated_at = excluded.updated_at
