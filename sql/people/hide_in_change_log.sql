-- Takes a person's ids out of the log of changes. $1 the app, $2 the ids. An entry that names one as a whole word, or
-- as whole words next to each other, loses its fields, and its subject if that names one. Names of fields are no ids.
with id as materialized (
    select words, split_part(words, ' ', 2) as word
    from (
        select distinct
            ' ' || trim(
                regexp_replace(id, '[^A-Za-z0-9\u00C0-\u1FFF\u2070-\u2FFF\u3040-\uFEFF\uFF10-\U0010FFFF]+', ' ', 'g')
            ) || ' ' as words
        from unnest($2::text[]) as id
    ) as id
    where words <> '  '
),
entry as materialized (
    select
        change_number,
        ' ' || regexp_replace(
            subject,
            '[^A-Za-z0-9\u00C0-\u1FFF\u2070-\u2FFF\u3040-\uFEFF\uFF10-\U0010FFFF]+', ' ', 'g'
        ) || ' ' as subject,
        ' ' || regexp_replace(
            -- Names of fields and escapes of JSON.
            regexp_replace(concat_ws(' ', before, after), '"[^"\\]*":|\\(u[0-9A-Fa-f]{4}|.)', ' ', 'g'),
            '[^A-Za-z0-9\u00C0-\u1FFF\u2070-\u2FFF\u3040-\uFEFF\uFF10-\U0010FFFF]+', ' ', 'g'
        ) || ' ' as fields
    from change_log
    where app_number = $1
        -- Only for speed: few ids are looked for before the words of an entry are made.
        and (
            cardinality($2::text[]) > 100
            or exists (select from id where strpos(concat_ws(' ', change_log.subject, before, after), word) > 0)
        )
),
naming as (
    select change_number, bool_or(strpos(subject, words) > 0) as is_in_subject
    from entry
    cross join string_to_table(subject || fields, ' ') as part
    join id on word = part
    where strpos(subject, words) > 0 or strpos(fields, words) > 0
    group by change_number
)
update change_log
set subject = case when is_in_subject then '(deleted)' else subject end,
    before = null,
    after = null
from naming
where change_log.change_number = naming.change_number
