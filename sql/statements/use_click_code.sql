-- Notes that an installation ($3, a device's id, or null) of an app ($1) uses the code of a click ($2). No row: another
-- one has used it before. Who names no device never equals anybody.
insert into click_code_use as used (app_number, click_id, installation)
values (
    $1,
    $2::uuid,
    encode(substring(sha256(convert_to($2 || ' ' || $3, 'UTF8')) for 16), 'hex')::uuid
)
on conflict (app_number, click_id) do update
set installation = excluded.installation
where used.installation = excluded.installation
returning true
